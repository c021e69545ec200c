import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What `im-admin` exports and the description of the interface names. */
const described = [
  "Black",
  "BlackList",
  "Failure",
  "GetBlackListInput",
  "GetGroupMemberListInput",
  "GetJoinedGroupListInput",
  "GetReceivedGroupApplicationListInput",
  "Group",
  "GroupChatInput",
  "GroupMember",
  "GroupMemberList",
  "GroupRequest",
  "JoinedGroupList",
  "Limits",
  "NotificationAccount",
  "NotificationAccountList",
  "Pagination",
  "ReceivedGroupApplicationList",
  "SearchNotificationAccountInput",
  "SetConversationsInput",
  "SingleChatInput",
  "UserInfo",
  "errorCodes",
  "getBlackList",
  "getGroupMemberList",
  "getJoinedGroupList",
  "getReceivedGroupApplicationList",
  "searchNotificationAccount",
  "setConversations",
];

/** The docstrings of the code and the version of the package, as JSON. */
export function docstringsFile(): string {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return `${JSON.stringify({ version, docstrings: readDocstrings() }, null, 2)}\n`;
}

function readDocstrings(): Record<string, { text: string; fields: Record<string, string> }> {
  const entry = `${root}src/index.ts`;
  const { NodeNext: module } = ts.ModuleKind;
  const program = ts.createProgram([entry], { module, target: ts.ScriptTarget.ES2022, strict: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
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
