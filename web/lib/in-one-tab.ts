/** Runs `run` while no other tab of this browser runs anything under the same name. */
export async function inOneTab(name: string, run: () => Promise<void>): Promise<void> {
  // Missing on pages without HTTPS.
  const locks: LockManager | null | undefined = navigator.locks;
  if (locks) await locks.request(name, run);
  else await run();
}
