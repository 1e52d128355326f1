import type { AttentionKind } from '#contract/people/notifications/constants';
import { wordsOf } from '#contract/people/notifications/constants/words';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import type { AlertPayload } from '../../engine/push-client.ts';

/** The keys of pushes by which somebody tries out how they are told begin so. */
export const TRIED = 'attention.tried:';

/** What goes as one message about several. */
export const counted = (kinds: readonly AttentionKind[]): string => {
  const count = kinds.length;
  const [kind] = kinds;
  if (kinds.some((each) => each !== kind)) {
    return t('{count, plural, one {# alert is waiting} other {# alerts are waiting}}', { count });
  }
  switch (kind) {
    case 'order.slotMoved':
      return t('{count, plural, one {# pickup was moved} other {# pickups were moved}}', { count });
    case 'picklist.changed':
      return t('{count, plural, one {# pick list changed} other {# pick lists changed}}', {
        count,
      });
    default:
      return t('{count, plural, one {# new order} other {# new orders}}', { count });
  }
};

/** How a phone buzzes, in milliseconds: on, off and on. */
const VIBRATION = [300, 150, 300, 150, 300];

/** Where several orders are. */
const ORDERS = '/farmer/orders';

interface Asked {
  id: string;
  kind: AttentionKind;
  /** With the present names of the people in them. */
  params: Record<string, unknown>;
  link: string;
}

const alert = (tag: string) => {
  const { language } = theReader();
  return {
    tag,
    lang: language,
    dir: directionOf(language),
    requireInteraction: true,
    renotify: true,
    silent: false,
    vibrate: VIBRATION,
  } as const;
};

/** Writes the push message about what waits, the last of which is the latest, for the present reader. */
export function writeAlert(
  asked: readonly [Asked, ...Asked[]],
  { tag, token, waiting }: { tag: string; token: string; waiting: number },
): AlertPayload {
  const last = asked.at(-1) ?? asked[0];
  const words = wordsOf(last);
  const isOne = asked.length === 1;
  const isOfOneLink = asked.every(({ link }) => link === last.link);
  return {
    ...alert(tag),
    title: isOne ? words.title : counted(asked.map(({ kind }) => kind)),
    body: isOne ? words.body : t('The last one: {title}', { title: words.title }),
    link: isOfOneLink ? last.link : ORDERS,
    actions: [{ action: 'ack', title: t("I'm on it") }],
    failure: t("Your answer didn't reach us. Open the order and try again."),
    token,
    badge: waiting,
  };
}

/** Writes the push message by which somebody tries out how they are told, for the present reader. */
export const writeTrial = (tag: string): AlertPayload => ({
  ...alert(tag),
  title: t('This is how a new order reaches you.'),
  body: t('It asks again until somebody of your farm says that they are on it.'),
  link: ORDERS,
  actions: [],
});
