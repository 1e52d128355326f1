import { createStore } from 'jotai';

/** The store of client state, shared with code outside of components. */
export const store = createStore();
