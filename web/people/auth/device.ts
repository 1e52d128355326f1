import { DEVICE_HEADER } from '#contract/people/auth/constants';
import { newId } from '../../platform/api/new-id.ts';
import { store } from '../../platform/session/session.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isDeviceId = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value);

/**
 * This browser's id, created once and kept after signing out. The server recognizes devices that
 * signed in to an account before, so that failed attempts of strangers do not lock them out.
 */
const deviceAtom = storedAtom<string | null>('device', isDeviceId, null, 'text');

/** Returns the options of an anonymous call that carries the id of this browser. */
export function fromThisDevice(): { anonymous: true; headers: Record<string, string> } {
  let id = store.get(deviceAtom);
  if (id === null) {
    id = newId();
    store.set(deviceAtom, id);
  }
  return { anonymous: true, headers: { [DEVICE_HEADER]: id } };
}
