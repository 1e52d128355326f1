import { describe, expect, it } from 'vitest';
import {
  formatPosition,
  milesBetween,
  parsePosition,
  toKeptPosition,
  toRoughPosition,
} from '#contract/farm/places/constants/positions';

const MOSQUE = { latitude: 33.72987, longitude: 73.03724 };

describe('a pasted text names a position', () => {
  it.each([
    // Google: the pin, not the middle of the map; a search; a way; the map alone.
    'https://www.google.com/maps/place/Faisal+Mosque/@33.7,73.1,17z/data=!3m1!4b1!4m6!3m5!1s0x38dfbe!8m2!3d33.72987!4d73.03724!16zL20',
    'https://www.google.de/maps/search/33.72987,+73.03724?entry=tts',
    'https://www.google.com/maps/search/?api=1&query=33.72987%2C73.03724',
    'https://www.google.co.uk/maps/dir/?api=1&destination=33.72987,73.03724',
    'https://www.google.com/maps/@33.72987,73.03724,15z',
    'https://maps.google.com/?q=33.72987,73.03724',
    'https://maps.google.com.pk/maps?q=loc:33.72987,73.03724&z=17',
    'google.com/maps?ll=33.72987,73.03724',
    // OpenStreetMap: the marker, else the middle.
    'https://www.openstreetmap.org/?mlat=33.72987&mlon=73.03724#map=15/33.7/73.1',
    'https://www.openstreetmap.org/#map=19/33.72987/73.03724&layers=N',
    'https://www.openstreetmap.org/node/123#map=19/33.72987/73.03724',
    // Apple.
    'https://maps.apple.com/?ll=33.72987,73.03724&q=Gate',
    'https://maps.apple.com/place?coordinate=33.72987,73.03724&name=Gate',
    'http://maps.apple.com/?daddr=33.72987,73.03724',
    // Phones.
    'geo:33.72987,73.03724',
    'GEO:33.72987,73.03724,520;u=35?z=17',
    'geo:0,0?q=33.72987,73.03724(Farm%20gate)',
    // Degrees.
    '33.72987, 73.03724',
    '  33.72987 73.03724 ',
    '(33.72987, 73.03724)',
    '33.72987;73.03724',
    '33.72987°, 73.03724°',
    '33.72987° N, 73.03724° E',
    'N 33.72987 E 73.03724',
    '33,72987 73,03724',
    '33,72987; 73,03724',
    '33,72987, 73,03724',
    '۳۳٫۷۲۹۸۷، ۷۳٫۰۳۷۲۴',
    '\u200e33.72987, 73.03724\u200e',
    '33.729870001, 73.037239999',
    `33°43'47.532"N 73°2'14.064"E`,
    '33° 43′ 47.532″ N, 73° 2′ 14.064″ E',
    `N 33°43.7922' E 73°2.2344'`,
  ])('%s', (text) => {
    expect(parsePosition(text)).toEqual(MOSQUE);
  });

  it('on each half of the earth, and at its edges', () => {
    expect(parsePosition('-33.9, -70.6')).toEqual({ latitude: -33.9, longitude: -70.6 });
    expect(parsePosition('33.9 S, 70.6 W')).toEqual({ latitude: -33.9, longitude: -70.6 });
    expect(parsePosition('−33.9, 18.4')).toEqual({ latitude: -33.9, longitude: 18.4 });
    expect(parsePosition('90, 180')).toEqual({ latitude: 90, longitude: 180 });
    expect(parsePosition('-0.000001, 0')).toEqual({ latitude: 0, longitude: 0 });
  });
});

it.each([
  '',
  ' ',
  'Market square',
  '33.7',
  '33,7',
  '91, 10',
  '10, 180.1',
  '10, 20, 30',
  `33°60'0"N 73°2'14"E`,
  // Only the site knows what a shortened link stands for.
  'https://maps.app.goo.gl/AbCdEf123',
  'https://goo.gl/maps/AbCdEf',
  // Other sites may write the longitude first.
  'https://yandex.com/maps/?ll=73.03724,33.72987',
  'https://google.com.evil.example/maps/@33.7,73.1,15z',
  'https://evil.example/?q=33.7,73.1',
  'javascript:alert(1)//33.7,73.1',
  'ftp://maps.google.com/?q=33.7,73.1',
  'https://www.google.com/maps/place/%E0%A4%A',
  'https://www.google.com/maps/@95,73.1,15z',
  'geo:',
  'geo:95,10',
  `33.7, 73.1${' '.repeat(10)}x`,
  '9'.repeat(5000),
  `https://maps.google.com/?q=${'1'.repeat(5000)}`,
])('%s names none', (text) => {
  expect(parsePosition(text)).toBeUndefined();
});

it('has at most five decimals where it is kept, and one where it is a reader’s', () => {
  const exact = { latitude: 33.123456789, longitude: -0.04 };
  expect(toKeptPosition(exact)).toEqual({ latitude: 33.12346, longitude: -0.04 });
  expect(toRoughPosition(exact)).toEqual({ latitude: 33.1, longitude: 0 });
});

it('is written as it can be read again', () => {
  expect(formatPosition(MOSQUE)).toBe('33.72987, 73.03724');
  expect(parsePosition(formatPosition(MOSQUE))).toEqual(MOSQUE);
});

it.each([
  [MOSQUE, MOSQUE, 0],
  // Islamabad to Lahore.
  [{ latitude: 33.7, longitude: 73.1 }, { latitude: 31.5, longitude: 74.3 }, 167],
  // Over the line of the date.
  [{ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }, 14],
  [{ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 0 }, 12437],
  [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 12437],
])('from %o to %o are %d miles', (one, other, miles) => {
  expect(Math.round(milesBetween(one, other))).toBe(miles);
  expect(milesBetween(other, one)).toBe(milesBetween(one, other));
});
