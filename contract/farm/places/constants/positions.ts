import { withAsciiDigits } from '#contract/platform/text/constants/typed-numbers';

/** A point on the earth, in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** Decimals of a position that is kept: the fifth is about a metre. */
const POSITION_DECIMALS = 5;
/** Decimals of where a reader is: the first is about eleven kilometres, or seven miles. */
const READER_DECIMALS = 1;

const rounded = (degrees: number, decimals: number): number =>
  // Adding 0 makes 0 of -0.
  Math.round(degrees * 10 ** decimals) / 10 ** decimals + 0;

const roundedPosition = ({ latitude, longitude }: Position, decimals: number): Position => ({
  latitude: rounded(latitude, decimals),
  longitude: rounded(longitude, decimals),
});

/** Returns a position as it is kept and sent. */
export const toKeptPosition = (position: Position): Position =>
  roundedPosition(position, POSITION_DECIMALS);

/** Returns about where somebody is: near enough to sort by, too far off to find them. */
export const toRoughPosition = (position: Position): Position =>
  roundedPosition(position, READER_DECIMALS);

const NUMBER = String.raw`[+-]?\d{1,3}(?:\.\d+)?`;
/** `33.7,73.1` as links have it, with a space after the comma or a `+` for it. */
const PAIR = new RegExp(String.raw`^(${NUMBER}),[\s+]*(${NUMBER})(?![\d.])`);

const isOnEarth = ({ latitude, longitude }: Position): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

const positionOf = (latitude: number, longitude: number): Position | undefined =>
  isOnEarth({ latitude, longitude }) ? toKeptPosition({ latitude, longitude }) : undefined;

function pairIn(text: string | null | undefined): Position | undefined {
  const [, latitude, longitude] = PAIR.exec(text?.trim() ?? '') ?? [];
  return latitude === undefined ? undefined : positionOf(Number(latitude), Number(longitude));
}

/** The sites whose links are read; a shortened link of theirs names no place by itself. */
const SITES = [
  /^(?:(?:www|maps)\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/,
  /^(?:www\.)?(?:openstreetmap\.org|osm\.org)$/,
  /^maps\.apple\.com$/,
];

/** The parameters of links that name a place, the most exact first. */
const PARAMETERS = [
  ...['q', 'query', 'coordinate', 'daddr', 'destination', 'address', 'll', 'sll', 'center'],
  'viewpoint',
];

/** Where Google's links have the pin; what is before it in them is the middle of the map. */
const GOOGLE_PIN = /!3d([+-]?\d{1,2}(?:\.\d+)?)!4d([+-]?\d{1,3}(?:\.\d+)?)/g;

function inMapLink(link: string): Position | undefined {
  let url: URL;
  try {
    url = new URL(/^[a-z]+:\/\//i.test(link) ? link : `https://${link}`);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol) || !SITES.some((site) => site.test(url.hostname))) {
    return undefined;
  }
  const path = decoded(url.pathname);
  const pin = [...path.matchAll(GOOGLE_PIN)].at(-1);
  if (pin) return positionOf(Number(pin[1]), Number(pin[2]));
  const marker = pairIn(`${url.searchParams.get('mlat')},${url.searchParams.get('mlon')}`);
  if (marker) return marker;
  for (const name of PARAMETERS) {
    const found = pairIn(url.searchParams.get(name)?.replace(/^loc:/, ''));
    if (found) return found;
  }
  // Google: /maps/search/33.7,73.1 and /maps/@33.7,73.1,15z. OpenStreetMap: #map=15/33.7/73.1.
  const steps = path.split('/').reverse();
  const inPath = steps.map(pairIn).find(Boolean) ?? pairIn(path.split('@')[1]);
  const [, latitude, longitude] = /map=[\d.]+\/([^/]+)\/([^/&]+)/.exec(url.hash) ?? [];
  return inPath ?? pairIn(`${latitude},${longitude}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `geo:33.7,73.1?z=15` by RFC 5870, and as phones share a pin: `geo:0,0?q=33.7,73.1(Farm gate)`. */
function inGeoLink(link: string): Position | undefined {
  const [place = '', query = ''] = link.slice('geo:'.length).split('?');
  return pairIn(new URLSearchParams(query).get('q')) ?? pairIn(place);
}

/** Degrees with minutes and seconds, or a half of the earth: `33°41'35.2"N`, `N 33° 41.5'`, `73.1° E`. */
const DEGREES = String.raw`(\d{1,3}(?:\.\d+)?)\s*°?\s*(?:(\d{1,2}(?:\.\d+)?)\s*'\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*"\s*)?`;
const HALVES_LAST = new RegExp(`^${DEGREES}([NS])[\\s,;]*${DEGREES}([EW])$`, 'i');
const HALVES_FIRST = new RegExp(`^([NS])\\s*${DEGREES}[\\s,;]*([EW])\\s*${DEGREES}$`, 'i');
const PLAIN = new RegExp(`^(${NUMBER})°?(?:\\s*[,;]\\s*|\\s+)(${NUMBER})°?$`);

function inDegrees(text: string): Position | undefined {
  // '33,7' is one number with a decimal comma.
  const plain = /^-?\d+,\d+$/.test(text) ? null : PLAIN.exec(text);
  if (plain) return positionOf(Number(plain[1]), Number(plain[2]));
  const last = HALVES_LAST.exec(text);
  if (last) {
    const [, d1, m1, s1, half1, d2, m2, s2, half2] = last;
    return positionOf(degrees(d1, m1, s1, half1), degrees(d2, m2, s2, half2));
  }
  const first = HALVES_FIRST.exec(text);
  if (!first) return undefined;
  const [, half1, d1, m1, s1, half2, d2, m2, s2] = first;
  return positionOf(degrees(d1, m1, s1, half1), degrees(d2, m2, s2, half2));
}

/** NaN, which is nowhere, where there are sixty minutes or more. */
function degrees(whole = '', minutes = '0', seconds = '0', half = ''): number {
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return Number.NaN;
  const size = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(half) ? -size : size;
}

/** Returns a text with one form of each sign, and with decimal points where it has decimal commas. */
function normalized(text: string): string {
  const plain = withAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/[’‘ʼ′´`]/g, "'")
    .replace(/[”“″]|''/g, '"')
    .replace(/[−‐‑‒–]/g, '-')
    .replace(/[º˚]/g, '°')
    .replace(/٫/g, '.')
    .replace(/،/g, ',')
    .replace(/؛/g, ';')
    .replace(/^\(|\)$/g, '')
    .trim();
  // '33,7 73,1', '33,7; 73,1' and '33,7, 73,1': two commas between digits, and something else between them.
  const commas = /^([^,;\s]+),(\d+[^,;]*?)(?:[,;]\s*|\s+)([^,;\s]+),(\d\S*(?:\s*[NSEW])?)$/i;
  return plain.includes('.') ? plain : plain.replace(commas, '$1.$2;$3.$4');
}

/** The longest text that is read: links of maps are long. */
export const POSITION_TEXT_MAX = 2000;

/**
 * Returns the position that a pasted text names: a link of Google Maps, OpenStreetMap or Apple Maps, a `geo:` link, or
 * degrees as '33.7, 73.1' or 33°41'35"N 73°02'53"E. Undefined for anything else, shortened links among it: only the
 * site knows what they stand for.
 */
export function parsePosition(text: string): Position | undefined {
  const trimmed = text.trim();
  if (trimmed.length > POSITION_TEXT_MAX) return undefined;
  if (/^geo:/i.test(trimmed)) return inGeoLink(trimmed);
  return inDegrees(normalized(trimmed)) ?? inMapLink(trimmed);
}

/** Formats a position so that {@link parsePosition} reads it, on maps and in any language: '33.69311, 73.04806'. */
export const formatPosition = ({ latitude, longitude }: Position): string =>
  `${latitude}, ${longitude}`;

const EARTH_RADIUS_MILES = 3958.76;
const RADIANS = Math.PI / 180;

/** Returns the miles between two points along the earth's surface. */
export function milesBetween(one: Position, other: Position): number {
  const up = Math.sin(((other.latitude - one.latitude) * RADIANS) / 2);
  const along = Math.sin(((other.longitude - one.longitude) * RADIANS) / 2);
  const chord =
    up ** 2 + Math.cos(one.latitude * RADIANS) * Math.cos(other.latitude * RADIANS) * along ** 2;
  // Rounding may leave it above 1 at the other end of the earth.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)));
}
