/** Whether the user meant a text as a URL of PostgreSQL. It may have mistakes. */
export function isMeantAsURL(text: string): boolean {
  return /^\W*postgres(ql)?:/i.test(text);
}

/** The message for a URL with a mistake. It does not quote the URL, which may have a password. */
export function unreadableURL(flag: string): string {
  return `the URL in ${flag} cannot be read: it must be such as postgres://user@host:5432/database`;
}
