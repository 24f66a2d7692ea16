package dev.topo.hw.foreign;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import tools.jackson.dataformat.xml.annotation.JacksonXmlElementWrapper;

/**
 * XML of {@code nvidia-smi -q -x}, reduced to what a topology of NCCL needs. Absent texts are
 * empty.
 */
record SmiQueryFile(
    @JsonProperty("gpu") @JacksonXmlElementWrapper(useWrapping = false) List<Gpu> gpus) {
  SmiQueryFile {
    gpus = List.copyOf(Objects.requireNonNullElse(gpus, List.of()));
  }

  /** GPU, in the order of NVML. */
  record Gpu(@JsonProperty("product_name") String product, Pci pci) {
    Gpu {
      product = orEmpty(product);
      pci = Objects.requireNonNullElse(pci, Pci.NONE);
    }
  }

  /**
   * PCI properties of a GPU.
   *
   * @param busId {@code 00000000:1A:00.0}
   * @param id device and vendor: {@code 233010DE}
   * @param subsystem device and vendor of the card
   */
  record Pci(
      @JsonProperty("pci_bus_id") PlacedText busId,
      @JsonProperty("pci_device_id") String id,
      @JsonProperty("pci_sub_system_id") String subsystem,
      @JsonProperty("pci_gpu_link_info") Link link) {
    static final Pci NONE = new Pci(PlacedText.NONE, "", "", Link.NONE);

    Pci {
      busId = PlacedText.orNone(busId);
      id = orEmpty(id);
      subsystem = orEmpty(subsystem);
      link = Objects.requireNonNullElse(link, Link.NONE);
    }
  }

  /** PCI link of a GPU. */
  record Link(
      @JsonProperty("pcie_gen") Generation generation, @JsonProperty("link_widths") Width width) {
    static final Link NONE = new Link(new Generation(PlacedText.NONE), new Width(PlacedText.NONE));

    Link {
      generation = Objects.requireNonNullElse(generation, new Generation(PlacedText.NONE));
      width = Objects.requireNonNullElse(width, new Width(PlacedText.NONE));
    }
  }

  /** Highest generation of the link: {@code 5}. */
  record Generation(@JsonProperty("max_link_gen") PlacedText most) {
    Generation {
      most = PlacedText.orNone(most);
    }
  }

  /** Largest number of lanes: {@code 16x}. */
  record Width(@JsonProperty("max_link_width") PlacedText most) {
    Width {
      most = PlacedText.orNone(most);
    }
  }

  private static String orEmpty(String text) {
    return Objects.requireNonNullElse(text, "");
  }
}
