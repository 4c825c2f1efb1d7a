export { folder } from './folder.js';
