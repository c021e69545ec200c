/** What the server counts for one request. */
export interface Answer {
  /** How many users would really change; null where the store cannot tell. */
  changing: number | null;
  values: readonly { field: string; value: unknown; users: number }[];
}

/** How many users have which value of a field now. */
export interface FieldCounts {
  field: string;
  /** The most frequent values, most of them first. */
  values: readonly { value: unknown; users: number }[];
  /** How many users have other values than these. */
  others: number;
  /** Whether more of the others may have one of these values: the server names the most frequent ones of a request. */
  isLeast: boolean;
}

/** What users have before it is set. */
export interface Counts {
  changing: number;
  fields: readonly FieldCounts[];
}

/** How many values of a field are shown. */
const mostValues = 5;

/**
 * The counts of several requests together.
 *
 * @param sizes how many users each request has
 */
export function countsOf(answers: readonly Answer[], sizes: readonly number[]): Counts {
  const fields = new Set(answers.flatMap(({ values }) => values.map(({ field }) => field)));
  return {
    changing: answers.reduce((sum, { changing }) => sum + (changing ?? 0), 0),
    fields: [...fields].map((field) => fieldCounts(field, answers, sizes)),
  };
}

function fieldCounts(field: string, answers: readonly Answer[], sizes: readonly number[]): FieldCounts {
  const found = new Map<unknown, number>();
  let isWhole = true;
  for (const [index, { values }] of answers.entries()) {
    let named = 0;
    for (const { field: other, value, users } of values) {
      if (other !== field) continue;
      found.set(value, (found.get(value) ?? 0) + users);
      named += users;
    }
    isWhole &&= named === sizes[index];
  }
  const values = [...found]
    .map(([value, users]) => ({ value, users }))
    .sort((one, other) => other.users - one.users)
    .slice(0, mostValues);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const others = sum(sizes) - sum(values.map(({ users }) => users));
  return { field, values, others, isLeast: !isWhole && answers.length > 1 };
}
