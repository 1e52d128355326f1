import type { Tones } from './pen.ts';

/** The green of most leaves. */
export const leafGreen: Tones = { light: '#8fbf68', base: '#5c9a49', shade: '#407a3a' };

/** The paler green of stems and young leaves. */
export const stemGreen: Tones = { light: '#b4d283', base: '#86b257', shade: '#628f42' };

/** The deep green of sturdy leaves. */
export const deepGreen: Tones = { light: '#5f9a62', base: '#3b7548', shade: '#285738' };

/** Bare wood: crates, boards, baskets. */
export const wood: Tones = { light: '#e2bd8a', base: '#cb9c63', shade: '#a87a46' };

/** Woven twine around a bunch. */
export const twine: Tones = { light: '#e3c795', base: '#cda76c', shade: '#a9824b' };
