import { productInput } from '../market.ts';
import { fileForm, productFile } from '../product-file.ts';
import type { Sample } from './sample.ts';
import type { createSampleRecords } from './sample-records.ts';

/** Returns a valid call of every endpoint of products and of those who follow them; see `createSamples`. */
export function productSamples({
  ids,
  own,
  newProduct,
  newImport,
}: ReturnType<typeof createSampleRecords>): Record<string, Sample> {
  return {
    'GET /products': {},
    'GET /products/facets': {},
    'GET /products/farmer/me': {},
    'GET /products/:id': { input: () => ({ id: ids.product }) },
    'GET /products/:id/use': { input: () => ({ id: ids.product }), stranger: { farmer: 403 } },
    'POST /products': { input: () => ({ body: productInput(ids.category) }) },
    'PUT /products/:id': {
      input: () => ({ id: ids.product, body: { name: 'Best carrots' } }),
      stranger: { farmer: 403 },
    },
    'PUT /products/stock': {
      input: () => ({ body: { changes: [{ product: ids.product, price: 3 }] } }),
    },
    'DELETE /products/:id': {
      input: async () => ({ id: await newProduct() }),
      stranger: { farmer: 403 },
    },
    'PUT /products/:id/hiding': {
      input: async () => ({ id: await newProduct(), body: { hidden: true, reason: 'A mistake.' } }),
    },

    'GET /farm/products.csv': {},
    'POST /farm/products/imports': {
      input: () => ({ form: fileForm(productFile([{ id: ids.product, price: 3.5 }])) }),
    },
    'GET /farm/products/imports/:id': {
      input: async () => ({ id: await newImport() }),
      stranger: { farmer: 404 },
    },
    'POST /farm/products/imports/:id/apply': {
      input: async () => ({ id: await newImport(), body: {} }),
      stranger: { farmer: 404 },
    },

    'GET /products/:id/alert': {
      stranger: { consumer: 200 },
      input: () => ({ id: ids.product }),
    },
    'PUT /products/:id/alert': {
      stranger: { consumer: 200 },
      input: async () => ({
        id: await newProduct({ quantityAvailable: 0 }),
        body: { isSet: true },
      }),
    },

    'GET /follows': {},
    'PUT /follows/products/:id': {
      stranger: { consumer: 200 },
      input: async () => ({ id: await newProduct() }),
    },
    'DELETE /follows/products/:id': {
      stranger: { consumer: 200 },
      input: () => ({ id: ids.product }),
    },
    'PUT /follows/farms/:id': {
      stranger: { consumer: 200 },
      input: () => ({ id: own.farmer.id }),
    },
    'DELETE /follows/farms/:id': {
      stranger: { consumer: 200 },
      input: () => ({ id: own.farmer.id }),
    },
  };
}
