package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** mvn test, with KUBECONFIG of a server that was started by: npx wheelhouse --wheelhouse-api=snapshots */
class ConfigMapsTest {
  private static KubernetesClient client;
  private static Wheelhouse wheelhouse;
  private static String start;

  @BeforeAll
  static void connect() {
    client = new KubernetesClientBuilder().build();
    wheelhouse = new Wheelhouse(client);
    start = wheelhouse.snapshot();
  }

  @AfterEach
  void restore() {
    wheelhouse.restore(start);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static ConfigMap of(String name, Map<String, String> data) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().withData(data).build();
  }

  private static ConfigMap create(String name, Map<String, String> data) {
    return client.configMaps().inNamespace("default").resource(of(name, data)).create();
  }

  private static Resource<ConfigMap> named(String name) {
    return client.configMaps().inNamespace("default").withName(name);
  }

  @Test
  void createPatchApplyDelete() {
    create("one", Map.of("a", "1"));
    ConfigMap patched = named("one").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"b\":\"2\"}}");
    assertEquals(Map.of("a", "1", "b", "2"), patched.getData());
    ConfigMap applied =
        client.configMaps().inNamespace("default").resource(of("one", Map.of("c", "3"))).fieldManager("example").serverSideApply();
    assertEquals(Map.of("a", "1", "b", "2", "c", "3"), applied.getData());
    KubernetesClientException refused =
        assertThrows(KubernetesClientException.class, () -> create("Not A Name", Map.of()));
    assertEquals(422, refused.getCode());
    named("one").delete();
    assertNull(named("one").get());
  }

  @Test
  void watch() throws InterruptedException {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap one) {
            seen.add(action + " " + one.getMetadata().getName());
          }

          @Override
          public void onClose(WatcherException cause) {
            seen.add("closed: " + cause);
          }
        };
    try (var watching = named("seen").watch(watcher)) {
      create("seen", Map.of());
      named("seen").delete();
      assertEquals("ADDED seen", seen.poll(20, TimeUnit.SECONDS));
      assertEquals("DELETED seen", seen.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void informer() throws InterruptedException {
    CountDownLatch added = new CountDownLatch(1);
    CountDownLatch deleted = new CountDownLatch(1);
    ResourceEventHandler<ConfigMap> handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ConfigMap one) {
            if (one.getMetadata().getName().equals("informed")) added.countDown();
          }

          @Override
          public void onUpdate(ConfigMap old, ConfigMap now) {}

          @Override
          public void onDelete(ConfigMap one, boolean unknown) {
            if (one.getMetadata().getName().equals("informed")) deleted.countDown();
          }
        };
    try (var informer = client.configMaps().inNamespace("default").inform(handler)) {
      create("informed", Map.of());
      assertTrue(added.await(20, TimeUnit.SECONDS));
      named("informed").delete();
      assertTrue(deleted.await(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void snapshotRestoreReset() {
    create("kept", Map.of());
    String snapshot = wheelhouse.snapshot();
    create("lost", Map.of());
    wheelhouse.restore(snapshot);
    assertNotNull(named("kept").get());
    assertNull(named("lost").get());
    wheelhouse.reset();
    List<ConfigMap> left = client.configMaps().inNamespace("default").list().getItems();
    assertTrue(left.stream().noneMatch(one -> one.getMetadata().getName().equals("kept")));
  }
}
