import { prepareTemplate } from './database.ts';

/** Runs once before all tests. */
export default prepareTemplate;
