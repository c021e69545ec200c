/** The settings that the server has written into the page. */
function settingOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="im-admin-${name}"]`)?.content ?? "";
}

/** The address before the paths of the operations. */
export const apiAddress = new URL(apiPath(), location.href).href.replace(/\/$/, "");

/** "." is the folder of the page, which a proxy may have put elsewhere. */
function apiPath(): string {
  const path = settingOf("api") || "/";
  return path === "." && location.pathname.endsWith("/") ? ".." : path;
}

/** The label that distinguishes this console from others; empty without one. */
export const environment = settingOf("title");

/** Whether the server gives a token to who knows the secret. */
export const givesTokens = settingOf("admin-token") !== "";
