/** What `process.versions` says that decides it. */
interface Versions {
  node: string;
  napi?: string | undefined;
}

/** The version of Node's C interface that better-sqlite3 13 is compiled for. Node has it since 22.14. */
const neededInterface = 10;

/** Whether this Node can load better-sqlite3 13. */
export function canLoad13({ napi }: Versions): boolean {
  return Number(napi) >= neededInterface;
}

/**
 * Says why a Node must not load a version of better-sqlite3, whose native part would end the process where no `catch` sees it.
 *
 * @param nativePart reads the file that is compiled
 */
export function misfit(version: string, versions: Versions, nativePart: () => Buffer): string | undefined {
  if (Number.parseInt(version, 10) >= 13) {
    return canLoad13(versions)
      ? undefined
      : `version ${version} is for Node 22.14 or newer, and this is Node ${versions.node}`;
  }
  // The headers of Node 24.19 and newer put this into what is compiled with them. Then it fails when memory is freed.
  return canLoad13(versions) && nativePart().includes("RemoveEnvironmentCleanupHook")
    ? `version ${version} can end the process at any time, compiled for Node ${versions.node}`
    : undefined;
}
