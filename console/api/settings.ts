/** What the server has written into the page. */
function settingOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="im-admin-${name}"]`)?.content ?? "";
}

/** Where the operations are. */
export const apiAddress = new URL(settingOf("api"), location.origin).href.replace(/\/$/, "");

/** What tells this console from others; empty where nothing does. */
export const environment = settingOf("title");
