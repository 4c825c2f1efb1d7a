export { gemm, gemmPacked, gemmPackedScratchBytes, gemmScratchBytes, packB, packedBytes } from "./gemm";
export { expMap, sigmoidMap, tanhMap } from "./elementwise";
export { columnSums, fillRows } from "./rows";
