/** What went wrong with a call, as RFC 9457 tells it, or as much of that as the answer held. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  /** The id under which the server's log knows this request; null when no server answered. */
  readonly requestId: string | null;

  constructor(of: { status: number; title: string; detail: string; code: string; requestId: string | null }) {
    super(of.detail || of.title);
    this.name = "ApiProblem";
    this.status = of.status;
    this.title = of.title;
    this.detail = of.detail;
    this.code = of.code;
    this.requestId = of.requestId;
  }

  /** Reads a refusal; a body that is not problem+json (a proxy's page) still yields status and request id. */
  static async from(response: Response): Promise<ApiProblem> {
    const body: unknown = await response.json().catch(() => null);
    const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const textOf = (name: string) => (typeof fields[name] === "string" ? (fields[name] as string) : "");
    // A number in the address that no row can have, or none at all: for who reads the page, a thing that is not there.
    if (response.status === 422 && textOf("detail").startsWith("path.")) {
      return new ApiProblem({
        status: 404,
        title: "Not found",
        detail: "The link may be incomplete, or the item no longer exists.",
        code: "not_found",
        requestId: textOf("request_id") || null,
      });
    }
    return new ApiProblem({
      status: response.status,
      title: textOf("title") || `Request failed (HTTP ${response.status})`,
      detail: textOf("detail"),
      code: textOf("code"),
      requestId: textOf("request_id") || response.headers.get("x-request-id"),
    });
  }

  /** Any thrown thing as a problem; a failed fetch means that no server answered. */
  static of(error: unknown): ApiProblem {
    if (error instanceof ApiProblem) return error;
    const isNetwork = error instanceof TypeError;
    return new ApiProblem({
      status: 0,
      title: isNetwork ? "Can't reach the server" : "This page failed to load",
      detail: isNetwork
        ? "Plumbline may be stopped, or the network is down. The data below is the last that loaded."
        : `Reload the page. If it happens again, copy this error: ${String(error)}`,
      code: isNetwork ? "no_answer" : "page_error",
      requestId: null,
    });
  }
}
