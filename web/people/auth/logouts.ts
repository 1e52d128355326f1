import { authApi } from '#contract/people/auth/constants';
import { call } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { isListOf, isText } from '../../platform/api/check.ts';
import { onReturn } from '../../platform/api/connection.ts';
import { inOneTab } from '../../platform/session/in-one-tab.ts';
import { store } from '../../platform/session/session.ts';
import { LOGOUTS_KEY, storedAtom } from '../../platform/session/stored-atom.ts';

const RETRY_DELAY_MS = 10_000;

/** The tokens whose sessions are still to be ended on the server: the last thing for which they are sent. */
const logoutsAtom = storedAtom<readonly string[]>(LOGOUTS_KEY, isListOf(isText), []);

let retry: ReturnType<typeof setTimeout> | undefined;
let isWatched = false;

const update = (change: (tokens: readonly string[]) => readonly string[]): void =>
  store.set(logoutsAtom, change(logoutsAtom.readStored()));

/** Ends the session of a token on the server: now, or when there is a connection again, also after a reload. */
export function endOnServer(token: string): void {
  update((tokens) => [...tokens.filter((each) => each !== token), token]);
  if (isWatched) void sendLogouts();
  else watchLogouts();
}

/** Sends what is still to be ended. One tab at a time does it. */
function sendLogouts(): Promise<void> {
  clearTimeout(retry);
  return inOneTab(LOGOUTS_KEY, async () => {
    for (const token of logoutsAtom.readStored()) {
      try {
        await call(authApi.logout, { token, isKept: true, keepalive: true });
      } catch (error) {
        if (!(error instanceof ApiError) || error.isTemporary) {
          retry = setTimeout(() => void sendLogouts(), RETRY_DELAY_MS);
          return;
        }
      }
      update((tokens) => tokens.filter((each) => each !== token));
    }
  });
}

/** Sends what an earlier visit left, and from then on whenever the connection is back. */
export function watchLogouts(): void {
  if (isWatched) return;
  isWatched = true;
  const send = () => {
    if (logoutsAtom.readStored().length > 0) void sendLogouts();
  };
  onReturn(send);
  send();
}
