import { marketReducers } from '../../admin/market/events.ts';
import { categoryReducers } from '../../catalogue/categories/queries.ts';
import { productReducers } from '../../catalogue/products/events.ts';
import { farmerReducers } from '../../farm/farmers/events.ts';
import { placeReducers } from '../../farm/places/queries.ts';
import { slotReducers } from '../../ordering/slots/events.ts';
import { connectionReducers } from '../../platform/realtime/events.ts';

/** The reducers of all that a visitor receives; those of people who are signed in are in a file of their own. */
export const visitorReducers = [
  connectionReducers,
  productReducers,
  categoryReducers,
  farmerReducers,
  marketReducers,
  placeReducers,
  slotReducers,
] as const;
