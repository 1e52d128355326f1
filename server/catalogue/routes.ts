import { categoriesApi } from '#contract/catalogue/categories/categories';
import { followsApi } from '#contract/catalogue/follows/follows';
import { importsApi } from '#contract/catalogue/imports/imports';
import { productsApi } from '#contract/catalogue/products/products';
import { stockAlertsApi } from '#contract/catalogue/stock-alerts/stock-alerts';
import type { Platform } from '../platform/http/platform.ts';
import {
  dataRoute,
  fileRoute,
  listAnswer,
  listRoute,
  type Route,
  route,
} from '../platform/http/route.ts';
import { actingFarm } from '../platform/sessions/lock-caller.ts';
import { defined } from '../platform/stores/postgres.ts';
import {
  createCategory,
  deleteCategory,
  listCategories,
  updateCategory,
} from './categories/service.ts';
import { followFarm, followProduct, unfollowFarm, unfollowProduct } from './follows/follow.ts';
import { listFollows } from './follows/read.ts';
import { applyImport } from './imports/apply.ts';
import { sendFile } from './imports/export.ts';
import { readImport } from './imports/read-goods.ts';
import { receiveFile } from './imports/receive.ts';
import { uploadImport } from './imports/upload.ts';
import { getProductUse } from './products/product-use.ts';
import { getProduct, listOwnProducts, listProducts } from './products/read.ts';
import { createProduct, deleteProduct, setProductHiding } from './products/service.ts';
import { countFacets } from './search/facets.ts';
import { readStockAlert, setStockAlert } from './stock/stock-alerts.ts';
import { updateStock } from './stock/update-stock.ts';

/** Routes of the catalogue. */
export const catalogueRoutes = (platform: Platform): Route[] => [
  // Routes of categories: read by everyone, written by admins.
  listRoute(categoriesApi.list, ({ query }) => listCategories(platform, query)),
  dataRoute(categoriesApi.create, ({ user, body }) => createCategory(platform, user, body)),
  dataRoute(categoriesApi.update, ({ user, params, body }) =>
    updateCategory(platform, user, params.id, body),
  ),
  route(categoriesApi.remove, ({ user, params }) => deleteCategory(platform, user, params.id)),

  // Routes of `/products`.
  route(productsApi.list, async ({ query }) => {
    const { correctedSearch, ...page } = await listProducts(platform, query);
    return { ...listAnswer(page), ...defined({ correctedSearch }) };
  }),
  dataRoute(productsApi.facets, ({ query }) => countFacets(platform, query)),
  listRoute(productsApi.own, ({ user, query }) =>
    listOwnProducts(platform, actingFarm(user), query),
  ),
  dataRoute(productsApi.detail, ({ params, user }) => getProduct(platform, params.id, user)),
  dataRoute(productsApi.use, ({ params, user }) => getProductUse(platform, user, params.id)),
  dataRoute(productsApi.create, ({ user, body }) => createProduct(platform, user, body)),
  // Before the path with an id, which would take `stock` for one.
  dataRoute(productsApi.updateStock, ({ user, body }) => updateStock(platform, user, body)),
  route(productsApi.remove, ({ params, user }) => deleteProduct(platform, user, params.id)),
  dataRoute(productsApi.setHiding, ({ params, user, body }) =>
    setProductHiding(platform, user, params.id, body),
  ),
  dataRoute(stockAlertsApi.alert, ({ params, user }) => readStockAlert(platform, user, params.id)),
  dataRoute(stockAlertsApi.setAlert, ({ params, user, body }) =>
    setStockAlert(platform, user, params.id, body),
  ),

  // A farm's products as a file, and files of them.
  fileRoute(importsApi.download, ({ user, ctx }) => sendFile(platform.db, actingFarm(user), ctx)),
  dataRoute(importsApi.upload, async ({ user, query, ctx }) =>
    uploadImport(platform, user, await receiveFile(ctx), query),
  ),
  dataRoute(importsApi.read, ({ user, params }) =>
    readImport(platform.db, actingFarm(user), params.id),
  ),
  dataRoute(importsApi.apply, ({ user, params, body }) =>
    applyImport(platform, user, params.id, body),
  ),

  // Routes of `/follows`.
  dataRoute(followsApi.list, ({ user }) => listFollows(platform, user)),
  dataRoute(followsApi.followProduct, ({ params, user }) =>
    followProduct(platform, user, params.id),
  ),
  route(followsApi.unfollowProduct, ({ params, user }) =>
    unfollowProduct(platform, user, params.id),
  ),
  dataRoute(followsApi.followFarm, ({ params, user }) => followFarm(platform, user, params.id)),
  route(followsApi.unfollowFarm, ({ params, user }) => unfollowFarm(platform, user, params.id)),
];
