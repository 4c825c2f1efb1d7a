export { additiveGradient, additiveScratchBytes, additiveWeights } from "./additive-attention";
export { attentionMix, attentionMixTransposed, attentionScoreGradient, attentionScratchBytes, dotWeights } from "./attention";
export { gemm, gemmPacked, gemmPackedScratchBytes, gemmScratchBytes, packB, packedBytes } from "./gemm";
export { expMap, sigmoidMap, tanhMap } from "./elementwise";
export { columnSums, fillRows } from "./rows";
export { crossEntropyRows } from "./cross-entropy";
export { dropoutRows } from "./dropout";
export { gatherRows, scatterAddRows, zeroFill } from "./embedding";
export { adamStep, scaleBy, sumOfSquares } from "./optimizers";
