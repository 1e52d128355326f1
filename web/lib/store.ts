import { createStore } from 'jotai';

/** The one store of the browser's own state, so that code outside of components can read it too. */
export const store = createStore();
