/** Values of one parameter, row-major. */
export interface StateEntry {
  shape: number[];
  data: Float32Array;
}

/** Parameters by PyTorch's names. */
export type StateDict = Map<string, StateEntry>;
