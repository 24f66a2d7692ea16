import dev.topo.Topo;
import dev.topo.model.operation.Call;
import java.nio.file.Path;

/** The library from a project that knows only the Maven package. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] args) {
    Topo topo = Topo.open(Path.of(args[0]));
    Call call = Call.of("all_reduce", "1G");
    System.out.println(topo + ": " + topo.connect().nChannels() + " channels");
    System.out.println(topo.tune(call).launchName() + ": " + topo.predict(call).busbwGBps() + " GB/s");
  }
}
