import { ApiReferencePage } from "@/features/api-reference/api-reference-page";

export function ApiReferenceRoute() {
  return <ApiReferencePage />;
}
