interface Answered<Data> {
  data?: { errCode: number; errDlt: string; data?: Data } | undefined;
  error?: unknown;
}

/** Returns the data of an answer, or throws an error with its `errCode`. */
export function dataOf<Data>({ data: answer, error }: Answered<Data>): Data {
  if (answer?.errCode === 0) return answer.data as Data;
  const { errCode, errDlt = "no answer" } = Object(answer ?? error);
  throw Object.assign(new Error(errDlt, { cause: error }), { errCode });
}
