/** Whether a text is a URL of PostgreSQL, well made or not. */
export function isMeantAsURL(text: string): boolean {
  return /^\W*postgres(ql)?:/i.test(text);
}

/** What is said of a URL that cannot be read, without its text. */
export function unreadableURL(flag: string): string {
  return `the URL in ${flag} cannot be read: it must be such as postgres://user@host:5432/database`;
}
