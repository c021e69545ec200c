import { effect, type Signal, signal } from "@preact/signals";
import { refusal, token } from "../api/session.js";
import { go } from "../places/address.js";
import { formatPlace, type PlaceOf } from "../places/place.js";
import { beginTask, forgetTask } from "../tasks/task.js";
import { changeDraft, conversationOf, type Draft, emptyDraft } from "./draft.js";
import { Setting } from "./setting.js";
import { linesOf, readUserIDs } from "./userIDs.js";
import { readUserTable } from "./userTable.js";

/** The form for conversations and the progress of its requests. Both stay when the administrator leaves the screen. */
export class Work {
  readonly place: PlaceOf<"conversations">;
  readonly draft: Signal<Draft>;
  readonly setting = signal<Setting | undefined>(undefined);
  #reading = new AbortController();

  constructor(place: PlaceOf<"conversations">) {
    this.place = place;
    this.draft = signal(emptyDraft(place));
    if (place.userID) this.setUsers([place.userID]);
  }

  get isRunning(): boolean {
    return this.setting.value?.state.value === "running";
  }

  readonly change = (changes: Partial<Draft>): void => {
    this.draft.value = changeDraft(this.draft.peek(), changes);
    if (changes.users !== undefined) void this.#read(changes.users);
  };

  /** @param earlier the text that these users replace; the administrator can bring it back */
  setUsers(userIDs: Iterable<string>, earlier = ""): void {
    this.change({ ...linesOf(userIDs), column: "", hasNoUsers: false, earlier });
  }

  /**
   * Reads the users of a table, or of the lines of a file.
   *
   * @param insert inserts the users into the present text; without it, they replace the text
   */
  readonly takeTable = async (text: string, insert = (users: string) => users): Promise<void> => {
    this.draft.value = { ...this.draft.peek(), isReading: true };
    const { users, ...rest } = await readUserTable(text);
    this.change({ ...rest, users: insert(users), earlier: "" });
  };

  /** Sets the conversation for users. Forgets an earlier attempt. */
  begin(userIDs: readonly string[], leavesOut: boolean): void {
    const before = this.setting.peek();
    if (before !== undefined) forgetTask(before);
    const conversation = conversationOf(this.draft.peek());
    const setting = new Setting(userIDs, { place: this.place, conversation, leavesOut });
    this.setting.value = setting;
    beginTask(setting);
    void setting.run().then(() => {
      if (setting.leftOut.peek().length > 0) this.setUsers(setting.usersOf());
    });
  }

  async #read(text: string): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.draft.value = { ...this.draft.peek(), isReading: true };
    const listed = await readUserIDs(text, reading.signal).catch(() => undefined);
    // A newer text has replaced it.
    if (listed === undefined || reading.signal.aborted) return;
    this.draft.value = changeDraft(this.draft.peek(), { listed, isReading: false });
  }
}

const works = new Map<string, Work>();

// Signing out forgets everything. A refused token must not: the administrator needs to know which users were set.
effect(() => {
  if (token.value === "" && refusal.value === undefined) works.clear();
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
  if (!work.isRunning) work.setUsers(userIDs, work.draft.peek().users);
  go(place);
}
