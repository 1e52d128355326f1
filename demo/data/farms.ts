import { createHash } from 'node:crypto';
import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { BusinessHours } from '#contract/farm/farmers/farmers';
import type { Position } from '#contract/farm/places/places';
import type { AtCutoff, Cutoff } from '#contract/farm/schedule/constants';
import { at, type DemoPerson } from './people.ts';

/** A farm of the demo market together with the farmer who owns it. */
export interface DemoFarm {
  /** Names the farm within the seed. */
  key: string;
  farmer: Omit<DemoPerson, 'joinedDaysAgo'>;
  position: Position;
  farmName: string;
  description: string;
  establishedYear: number;
  social: { facebook?: string; instagram?: string; twitter?: string };
  practices: string[];
  hours: BusinessHours;
  pickupLocation: string;
  /** Miles; absent where the farm does not deliver. */
  deliveryRadius?: number;
  /** How to pay other than in cash; absent where one has to ask. */
  paymentDetails?: string;
  /** How long ago the account was opened. */
  joinedDaysAgo: number;
  /** Absent where one can order until the farm closes. */
  cutoff?: Cutoff;
  /** What becomes of unanswered orders at the cut-off; a reminder if left out. */
  atCutoff?: AtCutoff;
  /** The first and the last closed day, as days from today. */
  closedInDays?: { from: number; to: number };
}

const closed = { open: '', close: '' };

/** The same hours on every day named, closed on the others, with exceptions. */
function open(
  days: readonly Weekday[],
  from: string,
  to: string,
  except: Partial<BusinessHours> = {},
): BusinessHours {
  const hoursOf = (day: Weekday) =>
    except[day] ?? (days.includes(day) ? { open: from, close: to } : closed);
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hoursOf(day)])) as BusinessHours;
}

const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;

/** The farms, all between the same hills and the same city, so that a delivery radius means something. */
export const farms = [
  {
    key: 'green-valley',
    farmer: {
      name: 'Hina Awan',
      email: 'farmer@farmgate.test',
      phone: '+92 51 000 0114',
      address: at('218 Khanpur Road', 'Taxila', 'Punjab', '47080'),
    },
    position: { latitude: 33.746, longitude: 72.8397 },
    farmName: 'Green Valley Farm',
    description:
      'Forty acres of south-facing vegetable ground above the Haro river, worked by the ' +
      'Awan family since 1978. We pick in the cool of the morning, rinse in spring water, and ' +
      'have it in your hands the same day. Walk the rows with us on Saturdays, and bring the children: ' +
      'peas taste best straight from the vine.',
    establishedYear: 1978,
    social: {
      facebook: 'https://www.facebook.com/farmgate.greenvalley',
      instagram: 'https://www.instagram.com/farmgate.greenvalley',
    },
    practices: ['Certified organic', 'Cover cropping', 'No-till beds', 'Drip irrigation'],
    hours: open(workdays, '08:00', '18:00', {
      wednesday: { open: '08:00', close: '20:00' },
      saturday: { open: '08:00', close: '14:00' },
    }),
    pickupLocation: 'Farm stand at the red gate, 218 Khanpur Road',
    deliveryRadius: 25,
    paymentDetails: 'Green Valley Farm\nAccount 0000 1978 0218, Haro Valley Bank, Khanpur',
    joinedDaysAgo: 412,
  },
  {
    key: 'stony-brook',
    farmer: {
      name: 'Saeed Akhtar',
      email: 'farmer2@farmgate.test',
      phone: '+92 51 000 0137',
      address: at('64 Kashmir Road', 'Murree', 'Punjab', '47150'),
    },
    position: { latitude: 33.907, longitude: 73.3943 },
    farmName: 'Stony Brook Orchard',
    description:
      'Eleven hundred trees on a hillside that drains well and catches the last sun. We grow the ' +
      'apples that supermarkets forgot, next to stone fruit for the short, sweet weeks of summer. What ' +
      'is too small for the crate goes through our own press.',
    establishedYear: 1934,
    social: { instagram: 'https://www.instagram.com/farmgate.stonybrook' },
    practices: ['Integrated pest management', 'Hand picked', 'Bee-friendly orchard floor'],
    hours: open(['thursday', 'friday', 'saturday', 'sunday'], '09:00', '17:00'),
    pickupLocation: 'Packing shed behind the press house',
    deliveryRadius: 15,
    joinedDaysAgo: 371,
  },
  {
    key: 'red-barn',
    farmer: {
      name: 'Isaac Bhatti',
      email: 'isaac@farmgate.test',
      phone: '+92 51 000 0162',
      address: at('7 Fateh Jang Road', 'Attock', 'Punjab', '43600'),
    },
    position: { latitude: 33.7667, longitude: 72.3598 },
    farmName: 'Red Barn Roots',
    description:
      'Roots are all we do, and we do them slowly: sandy loam, wide rotations, and a stone cellar that ' +
      'keeps them crisp until spring. Sold unwashed on request, since they keep twice as long that way.',
    establishedYear: 2009,
    social: { facebook: 'https://www.facebook.com/farmgate.redbarnroots' },
    practices: [
      'Seven-year rotation',
      'Bullock-drawn cultivation',
      'Heirloom seed',
      'Root cellar storage',
    ],
    hours: open(['tuesday', 'wednesday', 'thursday', 'friday', 'saturday'], '10:00', '18:00'),
    pickupLocation: 'The red barn, ring the bell at the cellar door',
    deliveryRadius: 20,
    joinedDaysAgo: 268,
    cutoff: { daysBefore: 1, time: '18:00' },
    closedInDays: { from: 12, to: 15 },
  },
  {
    key: 'high-pasture',
    farmer: {
      name: 'Marguerite Pereira',
      email: 'marguerite@farmgate.test',
      phone: '+92 992 000 0129',
      address: at('1130 Thandiani Road', 'Abbottabad', 'KP', '22010'),
    },
    position: { latitude: 34.1688, longitude: 73.2215 },
    farmName: 'High Pasture Dairy',
    description:
      'Twenty-six Jersey cows, a dozen goats and three hundred hens on hill pasture from May until the ' +
      'snow. The milk walks forty steps from the parlour to the cheese room. Our cheddar rests a year ' +
      'in cloth before the first wedge is cut.',
    establishedYear: 1991,
    social: {
      facebook: 'https://www.facebook.com/farmgate.highpasture',
      instagram: 'https://www.instagram.com/farmgate.highpasture',
      twitter: 'https://twitter.com/fg_highpasture',
    },
    practices: ['Grass fed', 'Animal Welfare Approved', 'No added hormones', 'Pasture-raised hens'],
    hours: open([...workdays, 'saturday', 'sunday'], '07:00', '12:00'),
    pickupLocation: 'Self-serve dairy fridge next to the parlour',
    deliveryRadius: 30,
    joinedDaysAgo: 305,
    closedInDays: { from: 9, to: 9 },
  },
  {
    key: 'three-rivers',
    farmer: {
      name: 'Kenji Khan',
      email: 'kenji@farmgate.test',
      phone: '+92 995 000 0148',
      address: at('39 Dam Road', 'Haripur', 'KP', '22620'),
    },
    position: { latitude: 33.9946, longitude: 72.9106 },
    farmName: 'Three Rivers Greens',
    description:
      'Leaves, herbs and mushrooms the whole year round, under glass that is heated with wood from our ' +
      'own lot. Cut to order: what you reserve before noon is harvested after it.',
    establishedYear: 2016,
    social: { instagram: 'https://www.instagram.com/farmgate.threerivers' },
    practices: [
      'Certified organic',
      'Heated by wood chips',
      'Rainwater harvesting',
      'Plastic-free packing',
    ],
    hours: open(workdays, '12:00', '19:00', { saturday: { open: '09:00', close: '13:00' } }),
    pickupLocation: 'Greenhouse 2, side entrance',
    deliveryRadius: 12,
    joinedDaysAgo: 194,
  },
  {
    key: 'hollow-oak',
    farmer: {
      name: 'Ines Fernandes',
      email: 'ines@farmgate.test',
      phone: '+92 51 000 0175',
      address: at('505 Lehtrar Road', 'Kahuta', 'Punjab', '47330'),
    },
    position: { latitude: 33.5918, longitude: 73.3871 },
    farmName: 'Hollow Oak Apiary',
    description:
      'Ninety hives at the edge of the forest, among oak and wild beri. Raw honey, comb cut by hand, ' +
      'date syrup boiled down over a wood fire, and the falsa berries our bees look after in return.',
    establishedYear: 2003,
    social: {
      facebook: 'https://www.facebook.com/farmgate.hollowoak',
      twitter: 'https://twitter.com/fg_hollowoak',
    },
    practices: ['Treatment-free hives', 'Wild forage', 'Wood-fired kettles'],
    hours: open(['friday', 'saturday', 'sunday'], '10:00', '16:00', {
      wednesday: { open: '14:00', close: '18:00' },
    }),
    pickupLocation: 'Honey house at the end of the drive',
    joinedDaysAgo: 233,
    cutoff: { daysBefore: 0, time: '07:00' },
    atCutoff: 'reject',
  },
  {
    key: 'riverbend',
    farmer: {
      name: 'Ada Gill',
      email: 'ada@farmgate.test',
      phone: '+92 992 000 0183',
      address: at('12 Mill Street', 'Havelian', 'KP', '22500'),
    },
    position: { latitude: 34.0536, longitude: 73.1606 },
    farmName: 'Riverbend Mill & Bakery',
    description:
      'We grow heritage wheat on the flats, grind it between stones that turned for our ' +
      'great-grandparents, and bake it two days later. Flour, bread, and jam from whatever the hedges ' +
      'gave that week.',
    establishedYear: 1912,
    social: { facebook: 'https://www.facebook.com/farmgate.riverbend' },
    practices: ['Heritage grains', 'Stone milled', 'Wild fermentation', 'Solar powered'],
    hours: open(['wednesday', 'thursday', 'friday', 'saturday'], '07:00', '15:00'),
    pickupLocation: 'Bakery counter, 12 Mill Street',
    deliveryRadius: 18,
    joinedDaysAgo: 146,
    cutoff: { daysBefore: 2, time: '12:00' },
    atCutoff: 'accept',
  },
  {
    key: 'meadowlark',
    farmer: {
      name: 'Rosa Mendes',
      email: 'rosa@farmgate.test',
      phone: '+92 51 000 0196',
      address: at('88 Adiala Road', 'Rawalpindi', 'Punjab', '46000'),
    },
    position: { latitude: 33.5651, longitude: 73.0169 },
    farmName: 'Meadowlark Flowers',
    description:
      'Three acres of cut flowers grown in the open, without heat and without flights. Stems are cut at ' +
      'dawn, rest in the cool room until noon, and last a week and more in a vase.',
    establishedYear: 2019,
    social: { instagram: 'https://www.instagram.com/farmgate.meadowlark' },
    practices: ['Pesticide free', 'Pollinator strips', 'Compost-fed soil'],
    hours: open(['tuesday', 'thursday', 'saturday'], '09:00', '17:00', {
      sunday: { open: '09:00', close: '13:00' },
    }),
    pickupLocation: 'Flower shed by the road',
    deliveryRadius: 40,
    joinedDaysAgo: 88,
  },
  {
    key: 'noor',
    farmer: {
      name: 'نور فاطمہ',
      email: 'noor@farmgate.test',
      phone: '+92 51 000 0119',
      address: at('ترلائی روڈ، چک شہزاد', 'اسلام آباد', 'ICT', '44000'),
      language: 'ur',
    },
    position: { latitude: 33.666, longitude: 73.148 },
    farmName: 'نور باغ فارم',
    description:
      'چک شہزاد کے کنارے آٹھ ایکڑ زمین، جہاں ہمارا خاندان تین نسلوں سے سبزیاں اور امرود اگاتا ہے۔ ہم ' +
      'سورج نکلنے سے پہلے چنائی کرتے ہیں اور اسی دن آپ تک پہنچاتے ہیں۔ جمعے کو آئیں تو کھیت بھی دیکھیں ' +
      'اور تازہ مولی کھیت ہی میں چکھیں۔',
    establishedYear: 1968,
    social: { facebook: 'https://www.facebook.com/farmgate.noorbagh' },
    practices: ['دیسی کھاد', 'کیڑے مار دوا کے بغیر', 'ہاتھ سے چنائی'],
    hours: open([...workdays, 'saturday'], '08:00', '17:00', {
      friday: { open: '08:00', close: '12:30' },
    }),
    pickupLocation: 'سبز دروازہ، ترلائی روڈ',
    deliveryRadius: 15,
    paymentDetails: 'نور باغ فارم\nاکاؤنٹ 0000 1968 0044، بینک، اسلام آباد',
    joinedDaysAgo: 120,
    cutoff: { daysBefore: 1, time: '20:00' },
  },
] as const satisfies readonly DemoFarm[];

/** Names a farm within the seed. */
export type FarmKey = (typeof farms)[number]['key'];

/**
 * Returns the id of a demo record: a version 4 UUID that is the same on every run and machine, so that links and
 * pictures stay valid after a new seed.
 */
export function idOf(kind: string, key: string): string {
  const bytes = createHash('sha256').update(`farmgate demo ${kind} ${key}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the id of a farm, which is that of its farmer. */
export const farmIdOf = (farm: FarmKey): string =>
  idOf('user', farms.find(({ key }) => key === farm)?.farmer.email ?? '');
