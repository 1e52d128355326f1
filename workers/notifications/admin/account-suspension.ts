import type { Reactions } from '../engine/definition.ts';
import { SUSPENSION_KIND } from '../engine/reach.ts';

/** Mails a person that their account was suspended, or that they can sign in again. */
export const suspensionReactions: Reactions = {
  'user.suspensionChanged': ({ id, data: { _id, isSuspended } }) => [
    {
      do: 'mail',
      userId: _id,
      kind: SUSPENSION_KIND,
      key: `${SUSPENSION_KIND}:${isSuspended ? 'suspended' : 'restored'}:${id}`,
    },
  ],
};

/** Returns whether the key of a delivery is that of a suspension, not of its end. */
export const isSuspensionKey = (deliveryKey: string): boolean =>
  deliveryKey.split(':')[1] === 'suspended';
