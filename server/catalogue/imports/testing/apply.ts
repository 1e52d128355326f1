import type { ProductImport } from '#contract/catalogue/imports/imports';
import type { Caller, TestMarket } from '../../../testing/market.ts';
import { uploadProducts } from '../../../testing/product-file.ts';
import { runImport } from '../apply.ts';
import type { FetchPicture } from '../pictures.ts';

const noPictures: FetchPicture = () => Promise.reject(new Error('No picture is expected'));

/** Runs the timer of a file until nothing of it is left, as a worker does. */
export async function runToEnd(
  { platform }: TestMarket,
  id: string,
  fetchPicture: FetchPicture = noPictures,
): Promise<void> {
  const key = `product.import:${id}`;
  const isDue = () => platform.db.timer.findFirst({ where: { key, doneAt: null } });
  while (await isDue()) {
    await platform.db.$transaction(async (tx) => {
      await tx.timer.update({ where: { key }, data: { doneAt: new Date() } });
      await runImport(fetchPicture, key, tx);
    });
  }
}

/** Uploads a file and writes what it changes. @returns what became of it */
export async function importFile(
  market: TestMarket,
  as: Caller,
  file: string,
  { query = '', fetchPicture = noPictures, body = {} as object } = {},
): Promise<ProductImport> {
  const uploaded = await uploadProducts(market.url, as, file, query);
  if (uploaded.status !== 201) throw new Error(JSON.stringify(uploaded.body));
  const path = `/farm/products/imports/${uploaded.body.data._id}`;
  const applied = await market.call('POST', `${path}/apply`, { as, body });
  if (applied.status !== 200) throw new Error(JSON.stringify(applied.body));
  await runToEnd(market, uploaded.body.data._id, fetchPicture);
  return (await market.get(path, as)).body.data;
}
