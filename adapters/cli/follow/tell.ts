import type { FollowProgress } from "../../../src/openim/index.js";
import { grouped } from "../report.js";
import { shortened } from "../shortened.js";

/** What people are told of the progress. */
export interface Told {
  text: string;
  isWarning?: boolean;
}

/** Returns a function that says in sentences what has changed since the call before. */
export function teller(): (progress: FollowProgress) => Told[] {
  let last: FollowProgress | undefined;
  let isFollowing = false;
  return (progress) => {
    const told: Told[] = [];
    const before = last;
    last = progress;
    const { isCopying, copies, mended, leftOut, passedOver, lastPassedOver, heardAt = 0, failure } = progress;
    // Each try begins a copy.
    if (isCopying && !before?.isCopying && failure === undefined) told.push({ text: "copying OpenIM's records" });
    if (copies > (before?.copies ?? 0)) told.push({ text: "the copy is whole" });
    if (failure !== undefined && failure !== before?.failure) {
      told.push({ text: `${failure}; it is tried again`, isWarning: true });
    }
    if (lastPassedOver !== undefined && lastPassedOver !== before?.lastPassedOver) {
      const text = `the document ${shortened(lastPassedOver)} is passed over: one with a greater _id has its key`;
      told.push({ text, isWarning: true });
    }
    const wasFollowing = isFollowing;
    if (isCopying || failure !== undefined) isFollowing = false;
    else if (before !== undefined && heardAt > (before.heardAt ?? 0)) isFollowing = true;
    if (isFollowing && !wasFollowing) {
      const mistakes = [
        ...(mended > 0 ? [`${grouped(mended)} values were changed`] : []),
        ...(leftOut > 0 ? [`${grouped(leftOut)} documents were left out`] : []),
        ...(passedOver > 0 ? [`${grouped(passedOver)} documents were passed over`] : []),
      ];
      told.push({ text: ["following OpenIM's changes", ...mistakes].join("; ") });
    }
    return told;
  };
}
