"""python3 -m unittest -v, with KUBECONFIG of a server that was started by: npx wheelhouse --wheelhouse-api=snapshots"""

import threading
import unittest

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.informer import SharedInformer

from wheelhouse import Wheelhouse


class ConfigMaps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        config.load_kube_config()
        cls.api = client.ApiClient()
        cls.core = client.CoreV1Api(cls.api)
        cls.wheelhouse = Wheelhouse(cls.api)
        cls.start = cls.wheelhouse.snapshot()

    def tearDown(self):
        self.wheelhouse.restore(self.start)

    def create(self, name, **data):
        body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)
        return self.core.create_namespaced_config_map("default", body)

    def test_create_patch_apply_delete(self):
        self.create("one", a="1")
        patched = self.core.patch_namespaced_config_map("one", "default", {"data": {"b": "2"}})
        self.assertEqual(patched.data, {"a": "1", "b": "2"})
        resources = dynamic.DynamicClient(self.api).resources.get(api_version="v1", kind="ConfigMap")
        applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"c": "3"}}
        result = resources.server_side_apply(body=applied, namespace="default", field_manager="example")
        self.assertEqual(result.data.to_dict(), {"a": "1", "b": "2", "c": "3"})
        with self.assertRaises(ApiException) as refused:
            self.create("Not A Name")
        self.assertEqual(refused.exception.status, 422)
        self.core.delete_namespaced_config_map("one", "default")
        with self.assertRaises(ApiException) as missing:
            self.core.read_namespaced_config_map("one", "default")
        self.assertEqual(missing.exception.status, 404)

    def test_watch(self):
        version = self.core.list_namespaced_config_map("default").metadata.resource_version
        self.create("seen", a="1")
        self.core.delete_namespaced_config_map("seen", "default")
        seen = []
        watching = watch.Watch()
        stream = watching.stream(
            self.core.list_namespaced_config_map, "default", resource_version=version, timeout_seconds=20
        )
        for event in stream:
            seen.append((event["type"], event["object"].metadata.name))
            if len(seen) == 2:
                watching.stop()
        self.assertEqual(seen, [("ADDED", "seen"), ("DELETED", "seen")])

    def test_informer(self):
        added, deleted = threading.Event(), threading.Event()
        # With a resync, stop() need not wait for the next event.
        informer = SharedInformer(self.core.list_namespaced_config_map, namespace="default", resync_period=1)
        informer.add_event_handler("ADDED", lambda one: one.metadata.name == "informed" and added.set())
        informer.add_event_handler("DELETED", lambda one: one.metadata.name == "informed" and deleted.set())
        informer.start()
        try:
            self.create("informed")
            self.assertTrue(added.wait(20))
            self.core.delete_namespaced_config_map("informed", "default")
            self.assertTrue(deleted.wait(20))
        finally:
            informer.stop()

    def test_snapshot_restore_reset(self):
        self.create("kept")
        snapshot = self.wheelhouse.snapshot()
        self.create("lost")
        self.wheelhouse.restore(snapshot)
        names = {one.metadata.name for one in self.core.list_namespaced_config_map("default").items}
        self.assertIn("kept", names)
        self.assertNotIn("lost", names)
        self.wheelhouse.reset()
        names = {one.metadata.name for one in self.core.list_namespaced_config_map("default").items}
        self.assertNotIn("kept", names)


if __name__ == "__main__":
    unittest.main()
