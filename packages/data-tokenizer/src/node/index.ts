export { openBytes, openCorpus, openLines, type PathLike } from './files.js';
