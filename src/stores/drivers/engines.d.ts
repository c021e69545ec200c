/** Declares the parts that we use of modules that Node 20 lacks. */

declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string, options: { readOnly: boolean; defensive: boolean });
    prepare(text: string): StatementSync;
    close(): void;
  }
  export interface StatementSync {
    setReadBigInts(enabled: boolean): void;
    all(...values: (string | number | null)[]): Record<string, string | bigint | number | null>[];
  }
}

declare module "bun:sqlite" {
  export class Database {
    constructor(path: string, options: { readonly: true } | { readwrite: true; create: boolean });
    static deserialize(content: Uint8Array, isReadOnly: boolean): Database;
    query<Row>(text: string): { all(...values: (string | number | null)[]): Row[] };
    close(): void;
  }
}
