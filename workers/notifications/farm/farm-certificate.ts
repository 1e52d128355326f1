import { msg } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import {
  presentCertificate,
  REMINDER_TIMER,
  reminderOn,
} from '../../../server/farm/certificate/policy.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import type { Definition } from '../engine/definition.ts';

/** Notifies a farm that its organic certificate is about to end, and once it has. */
export const farmCertificate: Definition<'farm.certificate'> = {
  kind: 'farm.certificate',
  reach: 'own',
  concerns: 'changeFarm',
  action: msg('Enter the new certificate'),
  reactions: {},
  remind: async (key, tx) => {
    const [farmId = '', reminder] = key.slice(REMINDER_TIMER.length + 1).split(':');
    const farm = await tx.farmerProfile.findFirst({
      // Of a suspended farm nobody can act on it.
      where: { userId: farmId, user: { suspendedAt: null, deletedAt: null } },
    });
    const certificate = farm && presentCertificate(farm);
    if (!certificate) return [];
    const { validUntil } = certificate;
    const today = dayIn(farm.timeZone, await readClock(tx));
    // It has moved, or comes late: then the next one says it.
    if (String(reminderOn(today, validUntil)) !== reminder) return [];
    return [
      {
        do: 'notify',
        userId: farmId,
        kind: 'farm.certificate',
        key: `farm.certificate:${farmId}:${validUntil}:${reminder}`,
        params: { validUntil, today, hasEnded: reminder === 'ended' },
        link: '/farmer/settings?section=farm',
      },
    ];
  },
};
