import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDefinitions } from './go-definitions.ts';

const source = `import (
	thingsv1 "k8s.io/api/things/v1"
	configv1 "k8s.io/kubelet/config/v1"
)

func GetOpenAPIDefinitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	return map[string]common.OpenAPIDefinition{
		thingsv1.Thing{}.OpenAPIModelName(): schema_k8sio_api_things_v1_Thing(ref),
		configv1.Config{}.OpenAPIModelName(): schema_k8sio_kubelet_config_v1_Config(ref),
	}
}

func schema_k8sio_api_things_v1_Thing(ref common.ReferenceCallback) common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Description: "Thing is \\"one\\".\\n\\nAnother paragraph.",
				Type:        []string{"object"},
				Properties: map[string]spec.Schema{
					"silent": {
						SchemaProps: spec.SchemaProps{
							Type: []string{"string"},
						},
					},
					"size": {
						SchemaProps: spec.SchemaProps{
							Description: "size of it",
							Type:        []string{"string"},
						},
					},
				},
			},
		},
	}
}

func schema_k8sio_kubelet_config_v1_Config(ref common.ReferenceCallback) common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Description: "Config of something else.",
			},
		},
	}
}
`;

test('types and fields have the words that the generated definitions give them, and no others', () => {
  assert.deepEqual(readDefinitions(source), {
    'io.k8s.api.things.v1.Thing': { '': 'Thing is "one".\n\nAnother paragraph.', size: 'size of it' },
  });
});
