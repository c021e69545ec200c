import { type Signal, signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";
import { noteSetting } from "../history/ownSettings.js";
import { messages } from "../language/language.js";
import { go } from "../places/address.js";
import { keep, takeKept } from "../places/kept.js";
import { formatPlace, type PlaceOf } from "../places/place.js";
import { beginTask, forgetTask } from "../tasks/task.js";
import { Counting } from "./counting.js";
import { changeDraft, conversationOf, type Draft, emptyDraft, missingIn } from "./draft.js";
import { MemberReading } from "./memberReading.js";
import { Setting } from "./setting.js";
import { pause } from "./useName.js";
import { idsIn, mostText, nobody, readUsers, textOf, type Users } from "./users.js";
import { userTable } from "./userTable.js";

/** What the tab keeps of a form. */
type KeptForm = Partial<Draft> & { isListed?: boolean };
const form = "form";

/** The form for conversations and the progress of its requests. Both stay when the administrator leaves the screen. */
export class Work {
  readonly place: PlaceOf<"conversations">;
  readonly draft: Signal<Draft>;
  readonly setting = signal<Setting | undefined>(undefined);
  /** Reads the members that the place names; undefined if the users come from elsewhere. */
  readonly members = signal<MemberReading | undefined>(undefined);
  /** What the users have now; undefined while the draft cannot be sent. */
  readonly counting = signal<Counting | undefined>(undefined);
  #counted = "";
  #countedUsers: Users = nobody;
  #reading = new AbortController();

  constructor(place: PlaceOf<"conversations">) {
    this.place = place;
    const { isListed, ...kept } = takeKept<KeptForm>(form, formatPlace(place)) ?? {};
    this.draft = signal({ ...emptyDraft(place), ...kept, ...(kept.users && { text: undefined }) });
    if (kept.text) this.enter(kept.text);
    else if (place.userID && !isListed) void this.takeUsers([place.userID]);
    if (!isListed) this.readMembers();
  }

  /** The entries that a reload of the page must not lose. Members of a group are read again. */
  get kept(): KeptForm {
    const { text, users, type, peer, groupID, conversationID, ticked, values } = this.draft.peek();
    const isListed = this.members.peek() === undefined;
    const listed = isListed ? (text === undefined ? { users } : { text }) : {};
    return { isListed, ...listed, type, peer, groupID, conversationID, ticked, values };
  }

  get isRunning(): boolean {
    return this.setting.value?.state.value === "running";
  }

  readonly change = (changes: Partial<Draft>): void => {
    this.draft.value = changeDraft(this.draft.peek(), changes);
  };

  /** Takes the users in a text. It stays as it is, unless it is too long for a field. */
  readonly enter = (text: string): void => {
    if (text.length > mostText) return void this.takeUsers(idsIn(text));
    this.change({ text });
    void this.#read(idsIn(text), () => ({}));
  };

  /**
   * Takes the users of a table, or of the lines of a file.
   *
   * @param around texts with further users before and after them
   */
  readonly takeTable = (table: string, around: { before?: string; after?: string } = {}): Promise<void> => {
    const { before = "", after = "" } = around;
    const { userIDs, column, hasNoUsers } = userTable(table);
    return this.takeUsers(joined([idsIn(before), userIDs, idsIn(after)]), { column, hasNoUsers });
  };

  takeUsers(userIDs: Iterable<string>, more: Partial<Draft> = {}): Promise<void> {
    return this.#read(userIDs, (users) => ({ ...more, text: textOf(users) }));
  }

  replaceUsers(users: Users): void {
    this.#forgetReading();
    this.change({ ...fresh, users, text: textOf(users) });
  }

  /** Reads the members of the group that the place names, and takes them when all have come. */
  readonly readMembers = (): void => {
    const { groupID, members } = this.place;
    if (members === undefined) return;
    this.#forgetReading();
    this.change({ ...fresh, users: nobody, text: undefined });
    const reading = new MemberReading(this.place, { groupID, ...members }, (users) => this.change({ users }));
    this.members.value = reading;
    beginTask(reading);
  };

  #forgetReading(): void {
    this.#reading.abort();
    const members = this.members.peek();
    members?.stop();
    if (members !== undefined) forgetTask(members);
    this.members.value = undefined;
  }

  /** Counts what the users of a complete draft have now, unless that is counted already. */
  count(): void {
    const draft = this.draft.peek();
    const { users } = draft;
    const isComplete = !this.isRunning && !draft.isReading && missingIn(draft, messages.peek()).length === 0;
    const conversation = conversationOf(draft);
    const wanted = isComplete ? JSON.stringify(conversation) : "";
    if (wanted === this.#counted && users === this.#countedUsers) return;
    this.counting.peek()?.stop();
    [this.#counted, this.#countedUsers] = [wanted, users];
    const counting = isComplete ? new Counting(users, conversation) : undefined;
    this.counting.value = counting;
    // The administrator may still be typing.
    setTimeout(() => counting?.run(), pause);
  }

  /** Lets the next visit count anew what is counted: others change it meanwhile. */
  leave(): void {
    if (this.counting.peek()?.isOver.peek()) this.stopCounting();
  }

  stopCounting(): void {
    this.counting.peek()?.stop();
    this.counting.value = undefined;
    this.#counted = "";
  }

  /** Sets the conversation for users. Forgets an earlier attempt. */
  begin(users: Users, leavesOut: boolean): void {
    const before = this.setting.peek();
    if (before !== undefined) forgetTask(before);
    const conversation = conversationOf(this.draft.peek());
    const setting = new Setting(users, { place: this.place, conversation, leavesOut });
    this.setting.value = setting;
    noteSetting(setting);
    beginTask(setting);
    void setting.run().then(() => {
      if (setting.leftOut.peek().length > 0) this.replaceUsers(setting.usersWith());
    });
  }

  async #read(userIDs: Iterable<string>, changes: (users: Users) => Partial<Draft>): Promise<void> {
    this.#forgetReading();
    const reading = new AbortController();
    this.#reading = reading;
    this.change({ isReading: true });
    const users = await readUsers(userIDs, reading.signal).catch(() => undefined);
    // Newer users have replaced them.
    if (users === undefined || reading.signal.aborted) return;
    this.change({ ...fresh, users, ...changes(users) });
  }
}

/** What is said of users until more is known of them. */
const fresh = { isReading: false, column: "", hasNoUsers: false, earlier: undefined };

function* joined(lists: readonly Iterable<string>[]): Generator<string, void, undefined> {
  for (const list of lists) yield* list;
}

const works = new Map<string, Work>();
keep(form, () => Array.from(works, ([name, work]) => [name, work.kept]));

// Signing out forgets everything. A refused token must not: the administrator needs to know which users were set.
onSignOut(() => {
  for (const work of works.values()) work.stopCounting();
  works.clear();
});

export function workOf(place: PlaceOf<"conversations">): Work {
  const key = formatPlace(place);
  const work = works.get(key) ?? new Work(place);
  works.set(key, work);
  return work;
}

/** Goes to the form, with these users and, if it is known, with the group's conversation. */
export function setFor(groupID: string, userIDs: readonly string[]): void {
  const place = { screen: "conversations", groupID } as const;
  const work = workOf(place);
  const { text, users } = work.draft.peek();
  if (!work.isRunning) void work.takeUsers(userIDs, { earlier: users.count === 0 ? undefined : { text, users } });
  go(place);
}

/** Goes to the form for the members that a place names. It reads them again, unless it is reading or setting them. */
export function setForMembers(place: PlaceOf<"conversations">): void {
  const work = workOf(place);
  if (!work.isRunning && work.members.peek()?.state.peek() !== "running") work.readMembers();
  go(place);
}
