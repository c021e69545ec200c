import { readFileSync } from "node:fs";
import ts from "typescript";
import { root } from "./pages.js";

/** What `im-admin` exports and the description of the interface names. */
const described = `
  Black BlackList Failure GetBlackListInput GetGroupMemberListInput GetJoinedGroupListInput
  GetReceivedGroupApplicationListInput Group GroupMember GroupMemberList GroupRequest JoinedGroupList
  Limits NotificationAccount NotificationAccountList Pagination ReceivedGroupApplicationList
  SearchNotificationAccountInput SetConversationsInput SingleChatInput Success UserInfo errorCodes getBlackList
  getGroupMemberList getJoinedGroupList getReceivedGroupApplicationList searchNotificationAccount setConversations`
  .trim()
  .split(/\s+/);

/** The docstrings of the code, of which a program is made, and the version of the package, as JSON. */
export function docstringsFile(program: ts.Program): string {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return `${JSON.stringify({ version, docstrings: readDocstrings(program) }, null, 2)}\n`;
}

function readDocstrings(program: ts.Program): Record<string, { text: string; fields: Record<string, string> }> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`${root}src/index.ts`);
  const index = source && checker.getSymbolAtLocation(source);
  const exported = new Map((index ? checker.getExportsOfModule(index) : []).map((symbol) => [symbol.name, symbol]));

  function textOf(symbol: ts.Symbol): string {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    // A line break within a paragraph is that of the source; links lead to other docstrings.
    return text.replace(/(?<!\n)\n(?!\n)/g, " ").replace(/\{@link (\w+)\}/g, "`$1`");
  }

  return Object.fromEntries(
    described.map((name) => {
      const symbol = exported.get(name);
      if (symbol === undefined) throw new Error(`im-admin exports no ${name}`);
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const isValue = target.flags & ts.SymbolFlags.Variable;
      const type = isValue ? checker.getTypeOfSymbol(target) : checker.getDeclaredTypeOfSymbol(target);
      const fields = type.getProperties().map((field) => [field.name, textOf(field)]);
      return [name, { text: textOf(target), fields: Object.fromEntries(fields.filter(([, text]) => text !== "")) }];
    }),
  );
}
