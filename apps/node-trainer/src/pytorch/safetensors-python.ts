import type { Lines } from './python.js';

/** Reading and writing safetensors in plain Python, so that model.py needs torch alone. */
export const safetensorsFunctions: readonly Lines[] = [
  [
    'def read_safetensors(path):',
    '    """Tensors by name: 8 bytes of header length, a JSON header, then the numbers."""',
    '    data = Path(path).read_bytes()',
    '    start = 8 + struct.unpack_from("<Q", data)[0]',
    '    header = json.loads(data[8:start])',
    '    header.pop("__metadata__", None)',
    '    weights = {}',
    '    for name, entry in header.items():',
    '        if entry["dtype"] != "F32":',
    `            raise ValueError(f"{path}: {name} must be of dtype F32; got {entry['dtype']}")`,
    '        begin, end = entry["data_offsets"]',
    '        numbers = torch.frombuffer(bytearray(data[start + begin : start + end]), dtype=torch.float32)',
    '        weights[name] = numbers.reshape(entry["shape"])',
    '    return weights',
  ],
  [
    'def write_safetensors(path, weights):',
    '    """The whole file or, if that fails, none of it."""',
    '    header, chunks, end = {}, [], 0',
    '    for name, tensor in weights.items():',
    '        chunk = tensor.detach().cpu().float().contiguous().numpy().tobytes()',
    '        offsets = [end, end + len(chunk)]',
    '        header[name] = {"dtype": "F32", "shape": [*tensor.shape], "data_offsets": offsets}',
    '        chunks.append(chunk)',
    '        end += len(chunk)',
    '    text = json.dumps(header).encode()',
    '    text += b" " * (-len(text) % 8)',
    '    temporary = Path(f"{path}.tmp")',
    '    temporary.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(chunks))',
    '    temporary.replace(path)',
  ],
];
