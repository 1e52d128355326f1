import { productsApi } from '#contract/catalogue/products/products';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/stock-alerts';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { defined } from '../../platform/stores/postgres.ts';
import { countFacets } from '../search/facets.ts';
import { readStockAlert, setStockAlert } from '../stock/stock-alerts.ts';
import { updateStock } from '../stock/update-stock.ts';
import { setProductHiding } from './hide.ts';
import { getProductUse } from './product-use.ts';
import { getProduct, listOwnProducts, listProducts } from './read.ts';
import { createProduct, deleteProduct, updateProduct } from './service.ts';

/** Routes of `/products`. */
export const productsRoutes = (platform: Platform): Route[] => [
  route(productsApi.list, async ({ query }) => {
    const { correctedSearch, ...page } = await listProducts(platform, query);
    return { ...listAnswer(page), ...defined({ correctedSearch }) };
  }),
  route(productsApi.facets, async ({ query }) => ({ data: await countFacets(platform, query) })),
  route(productsApi.own, async ({ user, query }) =>
    listAnswer(await listOwnProducts(platform, actingFarm(user), query)),
  ),
  route(productsApi.detail, async ({ params, user }) => ({
    data: await getProduct(platform, params.id, user),
  })),
  route(productsApi.use, async ({ params, user }) => ({
    data: await getProductUse(platform, user, params.id),
  })),
  route(productsApi.create, async ({ user, body }) => ({
    data: await createProduct(platform, user, body),
  })),
  // Before the path with an id, which would take `stock` for one.
  route(productsApi.updateStock, async ({ user, body }) => ({
    data: await updateStock(platform, user, body),
  })),
  route(productsApi.update, async ({ params, user, body }) => ({
    data: await updateProduct(platform, user, params.id, body),
  })),
  route(productsApi.remove, async ({ params, user }) => {
    await deleteProduct(platform, user, params.id);
    return {};
  }),
  route(productsApi.setHiding, async ({ params, user, body }) => ({
    data: await setProductHiding(platform, user, params.id, body),
  })),
  route(stockAlertsApi.alert, async ({ params, user }) => ({
    data: await readStockAlert(platform, user, params.id),
  })),
  route(stockAlertsApi.setAlert, async ({ params, user, body }) => ({
    data: await setStockAlert(platform, user, params.id, body),
  })),
];
