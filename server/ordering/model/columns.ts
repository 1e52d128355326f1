// The columns of an order and of its lines, declared once: what reads, places and changes orders takes them from here.

/** A column by the name of its field, with its name and type in the database. */
type Columns = Readonly<Record<string, readonly [column: string, type: string]>>;

/** What statements need of columns; values come as JSON with the fields' names. */
function columns<Own extends Columns>(own: Own, fixed: readonly (keyof Own)[] = []) {
  const all = Object.entries(own);
  return {
    /** For the list of an INSERT. */
    names: all.map(([, [column]]) => column).join(','),
    /** For what an INSERT selects of `alias`. */
    fields: (alias: string): string => all.map(([field]) => `${alias}."${field}"`).join(','),
    /** For the columns of `json_to_recordset`. */
    types: all.map(([field, [, type]]) => `"${field}" ${type}`).join(','),
    /** For SET, from `source`: by field, or by column where that is EXCLUDED. */
    assignments: (source: string): string =>
      all
        .filter(([field]) => !fixed.includes(field))
        .map(([field, [column]]) =>
          source === 'EXCLUDED'
            ? `${column} = EXCLUDED.${column}`
            : `${column} = ${source}."${field}"`,
        )
        .join(','),
    /** The fields of a row of `alias` for `json_build_object`. */
    json: (alias: string): string =>
      all.map(([field, [column]]) => `'${field}', ${alias}.${column}`).join(','),
  };
}

/** What a change of an order may write. */
export const ORDER_COLUMNS = columns({
  status: ['status', '"OrderStatus"'],
  version: ['version', 'int'],
  totalMinor: ['total_minor', 'bigint'],
  packing: ['packing', '"Packing"'],
  crates: ['crates', 'smallint'],
});

const HANDOVER = {
  date: ['date', 'date'],
  time: ['time', 'text'],
  startsAt: ['starts_at', 'timestamptz(3)'],
  endsAt: ['ends_at', 'timestamptz(3)'],
  slotId: ['slot_id', 'uuid'],
  endTime: ['end_time', 'text'],
  placeName: ['place_name', 'text'],
  placeDirections: ['place_directions', 'text'],
  pickupLocation: ['pickup_location', 'text'],
  street: ['street', 'text'],
  city: ['city', 'text'],
  state: ['state', 'text'],
  zipCode: ['zip_code', 'text'],
} as const;

/** When and where an order is handed over. Its place follows from its slot. */
export const HANDOVER_COLUMNS = columns(HANDOVER);
export type HandoverField = keyof typeof HANDOVER;

/** A line of an order. Of one that is there only what `fixed` leaves out changes. */
export const LINE_COLUMNS = columns(
  {
    id: ['id', 'uuid'],
    position: ['position', 'int'],
    productId: ['product_id', 'uuid'],
    name: ['name', 'text'],
    image: ['image', 'text'],
    unit: ['unit', '"Unit"'],
    priceMinor: ['price_minor', 'int'],
    quantityMilli: ['quantity_milli', 'int'],
    orderedMilli: ['ordered_milli', 'int'],
    replacesLineId: ['replaces_line_id', 'uuid'],
    onShort: ['on_short', '"ShortWish"'],
    preferredProductId: ['preferred_product_id', 'uuid'],
    pieceMilli: ['piece_milli', 'int'],
    pieceMinMilli: ['piece_min_milli', 'int'],
    pieceMaxMilli: ['piece_max_milli', 'int'],
    sizeId: ['size_id', 'uuid'],
    sizeLabel: ['size_label', 'text'],
    contentMilli: ['content_milli', 'int'],
    unitLabel: ['unit_label', 'text[]'],
    netMilli: ['net_milli', 'int'],
    netUnit: ['net_unit', '"Unit"'],
    takesStock: ['takes_stock', 'boolean'],
    packedMilli: ['packed_milli', 'int'],
    finalMinor: ['final_minor', 'bigint'],
    lot: ['lot', 'text'],
  },
  [
    'id',
    'position',
    'productId',
    'name',
    'image',
    'unit',
    'priceMinor',
    'replacesLineId',
    'pieceMilli',
    'pieceMinMilli',
    'pieceMaxMilli',
    'sizeId',
    'sizeLabel',
    'contentMilli',
    'unitLabel',
    'netMilli',
    'netUnit',
    'takesStock',
  ],
);
