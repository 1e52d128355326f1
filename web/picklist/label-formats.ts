/** The paper that labels are printed on: sheets of A4 and of US letter, and a roll of 62 mm. */
export const LABEL_FORMATS = ['avery_l7160', 'avery_5160', 'roll_62'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

/** Labels that are made at once at most. */
export const LABELS_MAX = 2_000;
