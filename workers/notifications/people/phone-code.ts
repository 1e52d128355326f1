import { PHONE_CODE_MINUTES } from '#contract/people/phone/constants';
import { theMarket } from '#contract/platform/market/constants';
import { singleLine } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery, User } from '../../../prisma/generated/client.ts';
import { digitsOfCode, stateOfCode } from '../../../server/people/phone/policy.ts';
import { lastCode } from '../../../server/people/phone/service.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { PHONE_CODE_KIND, type Reactions } from '../engine/definition.ts';

/** A code by which somebody proves their phone, each time it was asked for. */
export const phoneCode: { reactions: Reactions } = {
  reactions: {
    'phone.codeRequested': ({ data }) => [
      {
        do: 'text',
        userId: data._id,
        kind: PHONE_CODE_KIND,
        key: `${PHONE_CODE_KIND}:${data.code}`,
        language: data.language,
      },
    ],
  },
};

/** Returns the digits of the code that a delivery brings; undefined where it is not the last one, or has ended. */
export async function findDigits(
  tx: Transaction,
  env: ProcessPlatform['env'],
  {
    key,
    user,
    now,
  }: Pick<NotificationDelivery, 'key'> & {
    user: Pick<User, 'id' | 'phone' | 'phoneVerifiedAt'>;
    now: Date;
  },
): Promise<string | undefined> {
  if (user.phoneVerifiedAt) return undefined;
  const code = await lastCode(tx, user.id);
  const isWanted = code && key.endsWith(code.id) && stateOfCode(code, user, now) === 'open';
  return isWanted ? digitsOfCode(env, code.id) : undefined;
}

/** Returns the text message of a code, for the present reader. */
export const textOfCode = (digits: string): string =>
  t(
    '{code} is your code for {market}. It works for {minutes, plural, one {# minute} other {# minutes}}. Tell it to nobody.',
    {
      code: digits,
      market: singleLine(theMarket().name),
      minutes: PHONE_CODE_MINUTES,
    },
  ).replaceAll(/[\u2068\u2069]/g, '');
