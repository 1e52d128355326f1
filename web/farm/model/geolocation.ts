import type { Position } from '#contract/farm/places/places';
import { t } from '#contract/platform/text/constants/texts';

/** How long a device may look for its position, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** How long somebody may think about the question of their browser; some say nothing where it is closed. */
const ANSWER_MS = 60_000;
/** A position of the last minutes will do. */
const MAX_AGE_MS = 300_000;

/**
 * Asks the browser where its user is. `isExact` takes longer and more of the battery.
 * @throws an error with a sentence for people: refused, unknown, too slow, or no way to ask
 */
export async function askWhere({ isExact }: { isExact: boolean }): Promise<Position> {
  if (!window.isSecureContext)
    throw new Error(t('Browsers say where you are to secure pages alone, with https.'));
  if (!navigator.geolocation) throw new Error(t("This browser can't say where you are."));
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Position>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(tooSlow())), ANSWER_MS);
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
        (error) => reject(new Error(sentenceOf(error))),
        { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS, enableHighAccuracy: isExact },
      );
    });
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = () => t('Finding out where you are takes too long. Try again in a moment.');

function sentenceOf({ code }: Pick<GeolocationPositionError, 'code'>): string {
  // As the standard numbers them.
  if (code === 1)
    return t(
      "Your browser doesn't say where you are. Allow this page to see the location, then try again.",
    );
  if (code === 3) return tooSlow();
  return t("Your device can't say where you are right now. Try again in a moment.");
}
