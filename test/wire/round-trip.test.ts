/** The judge of the codecs: upstream's compatibility data, read and written byte for byte by the rules of its own test. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonCodec } from '../../src/machinery/codec/json/codec.ts';
import { indentJson } from '../../src/machinery/codec/json/write.ts';
import { createProtobufCodec, decodeEnvelope } from '../../src/machinery/codec/protobuf/index.ts';
import { createYamlCodec } from '../../src/machinery/codec/yaml/codec.ts';
import type { StructType } from '../../src/machinery/type-model.ts';
import { createSchema } from '../../src/schema/index.ts';
import { formats, readFixtures } from './fixtures.ts';
import type { Fixture, Format } from './fixtures.ts';
import { moduleDirectories } from './module-directories.ts';

const modules = moduleDirectories();
const schema = createSchema();
const json = createJsonCodec();
const yaml = createYamlCodec(json);
const protobuf = createProtobufCodec();

const apiData = join(modules['k8s.io/api'], 'testdata');
const extensionData = join(modules['k8s.io/apiextensions-apiserver'], 'pkg/apis/testdata/HEAD');

const current = readFixtures(join(apiData, 'HEAD'));
const currentNames = new Set(current.map(({ name }) => name));
const suites: [says: string, fixtures: readonly Fixture[]][] = [
  ['k8s.io/api HEAD', current],
  ['apiextensions HEAD', readFixtures(extensionData)],
];
// HEAD has every kind of this release; the data of earlier ones also holds kinds that are gone, which upstream passes over as well.
for (const release of readdirSync(apiData).filter((name) => name.startsWith('v'))) {
  suites.push([`k8s.io/api ${release}`, readFixtures(join(apiData, release)).filter(({ name }) => currentNames.has(name))]);
}

for (const [says, fixtures] of suites) {
  test(`${says}: ${fixtures.length} kinds in ${formats.length} formats are read alike and written as they were`, async (t) => {
    assert.ok(fixtures.length > 0);
    for (const fixture of fixtures) await t.test(fixture.name, () => judge(fixture));
  });
}

function judge(fixture: Fixture): void {
  const type = schema.typeOf(fixture.gvk);
  assert.ok(type, `${fixture.name} has no type`);
  const objects = formats.map((format) => read(format, fixture.input[format], type));
  assert.deepEqual(objects[1], objects[0], 'YAML and JSON differ');
  assert.deepEqual(objects[2], objects[0], 'protobuf and JSON differ');
  formats.forEach((format, i) => {
    const written = write(format, objects[i] as Record<string, unknown>, type, fixture.input.pb);
    if (format === 'pb') assert.equal(written.toString('hex'), fixture.output.pb.toString('hex'));
    else assert.equal(written.toString(), fixture.output[format].toString());
  });
}

function read(format: Format, bytes: Buffer, type: StructType): Record<string, unknown> {
  switch (format) {
    case 'json':
      return json.decode(bytes, type, 'ignore').object;
    case 'yaml':
      return yaml.decode(bytes, type, 'ignore').object;
    case 'pb': {
      const { raw, typeMeta } = decodeEnvelope(bytes);
      return protobuf.decode(raw, type, typeMeta.kind === '' ? undefined : typeMeta);
    }
  }
}

function write(format: Format, object: Record<string, unknown>, type: StructType, original: Buffer): Buffer {
  switch (format) {
    case 'json':
      return Buffer.from(indentJson(json.encode(object, type)));
    case 'yaml':
      return Buffer.from(yaml.encode(object, type));
    case 'pb':
      return protobuf.encodeEnveloped(object, type, decodeEnvelope(original).typeMeta);
  }
}
