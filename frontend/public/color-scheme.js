// Sets the colour scheme before the first paint, so that a dark screen never flashes white. A file and not an inline
// script, because the content security policy allows scripts from our own origin only.
(() => {
  let wish = "auto";
  try {
    wish = localStorage.getItem("plumbline-color-scheme") ?? "auto";
  } catch {
    // Storage may be shut off; the system's wish stands then.
  }
  const dark = wish === "dark" || (wish === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
