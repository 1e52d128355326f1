import { msg } from '#contract/platform/text/constants/texts';
import { dayIn, wallClockIn } from '#contract/platform/time/constants';
import type { Definition } from '../engine/definition.ts';

/** Notifies a farm that it takes no orders for a while, because nobody there answered them. */
export const farmPaused: Definition<'farm.paused'> = {
  kind: 'farm.paused',
  reach: 'market',
  concerns: 'changeFarm',
  action: msg('Resume orders'),
  reactions: {
    'farm.paused': ({ id, at, data: { _id, until, timeZone } }) => [
      {
        do: 'notify',
        userId: _id,
        kind: 'farm.paused',
        key: `farm.paused:${id}`,
        params: {
          farm: { _id },
          ...wallClockIn(timeZone, new Date(until)),
          pausedOn: dayIn(timeZone, new Date(at)),
        },
        link: '/farmer/dashboard',
      },
    ],
  },
};
