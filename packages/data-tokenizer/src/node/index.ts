export { type FileReading, openBytes, openCorpus, openLines, type PathLike } from './files.js';
