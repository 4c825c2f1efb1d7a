export { folder } from './folder.js';
export { makeFolder } from './make-folder.js';
