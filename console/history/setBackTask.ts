import { computed, signal } from "@preact/signals";
import { newOperationID } from "../api/call.js";
import { CallFailure, hasFailed } from "../api/callFailure.js";
import { formatCount } from "../language/format.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";
import { refresh } from "../places/refresh.js";
import type { Task, TaskState } from "../tasks/task.js";
import { type KeptSetting, setBack } from "./history.js";
import { nameOfSetting } from "./nameOfSetting.js";

/** Sets a setting back, from its last request to its first, so that earlier values come last. */
export class SetBackTask implements Task {
  readonly place: Place;
  readonly setting: KeptSetting;
  readonly state = signal<TaskState>("running");
  readonly failure = signal<CallFailure | undefined>(undefined);
  readonly progress = computed(() => ({ done: this.#done.value, all: this.setting.requests }));
  readonly #done = signal(0);
  readonly #counts = { changed: 0, leftAlone: 0, gone: 0, notKnown: 0 };
  readonly #operationID = newOperationID();
  #isStopped = false;

  constructor(setting: KeptSetting, place: Place) {
    this.setting = setting;
    this.place = place;
    void this.#run();
  }

  title({ history }: Messages): string {
    return history.setsBackTitle(nameOfSetting(this.setting));
  }

  outcome({ history }: Messages): string {
    const { done, all } = this.progress.value;
    const { changed, leftAlone, gone, notKnown } = this.#counts;
    const parts = [
      ...(this.state.value === "done" ? [] : [history.progress(formatCount(done), formatCount(all))]),
      ...(this.state.value === "running" ? [] : [history.wereSetBack(formatCount(changed))]),
      ...(leftAlone === 0 ? [] : [history.leftAlone(formatCount(leftAlone))]),
      ...(gone === 0 ? [] : [history.gone(formatCount(gone))]),
      ...(notKnown === 0 ? [] : [history.notKnown(formatCount(notKnown))]),
    ];
    return parts.join(" ");
  }

  /** Waits for the request under way, and sends no further one. */
  stop(): void {
    this.#isStopped = true;
  }

  goOn(): void {
    this.failure.value = undefined;
    this.state.value = "running";
    void this.#run();
  }

  async #run(): Promise<void> {
    const { requests } = this.setting;
    try {
      while (this.#done.peek() < requests && !this.#isStopped) {
        await this.#setBack(requests - 1 - this.#done.peek());
        this.#done.value += 1;
      }
      this.state.value = this.#done.peek() < requests ? "stopped" : "done";
    } catch (error) {
      if (hasFailed(error)) this.failure.value = error;
      this.state.value = "failed";
    }
    refresh();
  }

  async #setBack(request: number): Promise<void> {
    const counts = this.#counts;
    try {
      const { changed, leftAlone, gone } = await setBack(this.setting.settingID, request, this.#operationID);
      counts.changed += changed;
      counts.leftAlone += leftAlone;
      counts.gone += gone;
    } catch (error) {
      // The others can be set back although nobody knows what was there before this one.
      if (!(error instanceof CallFailure) || error.errCode !== 1001) throw error;
      counts.notKnown += 1;
    }
  }
}
